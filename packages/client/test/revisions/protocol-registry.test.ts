import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { officialMethods } from '@toolbridge/testkit/oracle'
import { expect, test } from 'vitest'
import {
  clientNotifications,
  clientRequests,
  serverNotifications,
  serverRequests,
} from '../../src/revisions/registry.generated.ts'

const source = readFileSync(new URL('../../src/revisions/registry.generated.ts', import.meta.url), 'utf8')
const script = readFileSync(
  new URL('../../../../scripts/generate-protocol-registry.mjs', import.meta.url),
  'utf8',
)

test('the tables are what the present script made of the schemas, untouched since [C36] [S3-42] [S3-44] [S3-45]', () => {
  const [, recorded] = /^\/\/ script (\w+)$/m.exec(source) ?? []
  const [, table] = /^\/\/ table (\w+)$/m.exec(source) ?? []
  const body = source.slice(source.indexOf('\n\n') + 2)
  expect({ script: recorded, table }).toEqual({ script: digest(script), table: digest(body) })
})

const registry = { clientRequests, clientNotifications, serverRequests, serverNotifications }
const directions = ['clientRequests', 'clientNotifications', 'serverRequests', 'serverNotifications'] as const

test.each(directions)('%s of 2025-11-25 are those of the official SDK of that revision', (direction) => {
  expect(registry[direction]['2025-11-25']).toEqual(officialMethods[direction].legacy)
})

test.each(directions)(
  '%s of both eras together are those of the official SDK that speaks both',
  (direction) => {
    const { '2025-11-25': legacy = [], '2026-07-28': modern = [] } = registry[direction]
    const known = new Set([...legacy, ...modern].filter((method) => !method.includes('tasks/')))
    expect([...known].toSorted()).toEqual(officialMethods[direction].both)
  },
)

test('no revision takes back a request within the handshake era, and the newer era has no request of the server [S3-43]', () => {
  const versions = Object.keys(registry.clientRequests)
  expect(versions).toEqual(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])
  for (const [index, version] of versions.slice(0, 3).entries()) {
    const next = registry.clientRequests[versions[index + 1] ?? '']
    expect(next).toEqual(expect.arrayContaining([...(registry.clientRequests[version] ?? [])]))
  }
  expect(registry.serverRequests['2026-07-28']).toEqual([])
})

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
