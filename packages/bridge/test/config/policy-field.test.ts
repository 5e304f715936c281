import { readConfig, writeConfig } from '@toolbridge/bridge/config'
import { expect, test } from 'vitest'

const read = (policy: object) =>
  readConfig(JSON.stringify({ mcpServers: { a: { command: 'x', policy } } }), { file: 'mcp.json' })

test('an entry sets policies, and writing it keeps them', () => {
  const policy = {
    start: 'on-demand',
    stop: { closeStdin: false, graceMs: 0, termMs: 10 },
    elicitation: ['off'],
  }
  const { servers, issues } = read(policy)
  expect([servers[0]?.policy, issues]).toEqual([policy, []])
  const { text, unwritableFields } = writeConfig(servers, { dialect: 'mcp-servers' })
  expect([JSON.parse(text), unwritableFields]).toEqual([
    { mcpServers: { a: expect.objectContaining({ policy }) } },
    [],
  ])
})

test.each([
  { stderr: 'loud' },
  { stop: { closeStdin: true, graceMs: 3_600_000, termMs: 1 } },
  { 'protocol.version': 'newest' },
  { permissions: 'allowlist' },
])('an entry with the policy %j is refused', (policy) => {
  expect(read(policy)).toMatchObject({ servers: [], refused: ['a'] })
})
