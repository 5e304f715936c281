import { paths } from '@toolbridge/api'
import type { Lockbox } from '@toolbridge/lockbox'
import { watchMachine } from '@toolbridge/testkit/machine'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestGateway } from './support/gateway.ts'
import { openTestLockbox } from './support/lockbox.ts'
import { savedServer } from './support/specs.ts'

let lockbox: Lockbox
beforeAll(async () => {
  lockbox = await openTestLockbox()
})
afterAll(() => lockbox.close())

/** The store itself. */
const safeFiles = /toolbridge-lockbox-/

test('[S2-47] [S2-48] a workflow takes its servers from what was saved: no variable and no file of this machine is asked [S2-15] [S2-54] [S2-87] [S2-90]', async () => {
  await using gateway = createTestGateway({ lockbox })
  const ada = gateway.as('ada')
  const mcpServers = { mine: { ...savedServer('hostile'), env: { TOKEN: canary('lockbox') } } }
  await ada.post(paths.config, { mcpServers })
  const body = { workflowId: 'w', nodes: [{ kind: 'tool', id: 'one', tool: 'mine__environment' }] }

  // Loads what is loaded on first use, so that only the workflow itself is watched below.
  await ada.post(paths.invoke, body)
  using watched = watchMachine()
  const { nodes } = await (await ada.post(paths.invoke, body)).json()

  const environment = JSON.parse(nodes[0].result.content[0].text)
  expect(environment.TOKEN).toBe(canary('lockbox'))
  expect(watched.variables).toEqual([])
  expect(watched.files.filter((file) => !safeFiles.test(file))).toEqual([])
  expect(watched.written).toEqual([])
})

test('[S2-42] two people who run one workflow at the same time use servers of their own', async () => {
  await using gateway = createTestGateway({ lockbox })
  const body = { workflowId: 'shared', nodes: [{ kind: 'tool', id: 'one', tool: 'mine__environment' }] }
  const tokens = await Promise.all(
    ['ada', 'bob'].map(async (name) => {
      const person = gateway.as(name)
      const mcpServers = { mine: { ...savedServer('hostile'), env: { TOKEN: canary(name) } } }
      await person.post(paths.config, { mcpServers })
      const { nodes } = await (await person.post(paths.invoke, body)).json()
      return JSON.parse(nodes[0].result.content[0].text).TOKEN
    }),
  )
  expect(tokens).toEqual([canary('ada'), canary('bob')])
})
