import { paths } from '@toolbridge/api'
import type { Lockbox } from '@toolbridge/lockbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestGateway } from './support/gateway.ts'
import { openTestLockbox } from './support/lockbox.ts'
import { inMemory, savedInMemory } from './support/specs.ts'
import { untilServer } from './support/waiting.ts'

let lockbox: Lockbox
beforeAll(async () => {
  lockbox = await openTestLockbox()
})
afterAll(() => lockbox.close())

const refused = /does not start programs that were saved in the console; use a server with a URL/

test('a gateway that others can reach saves no program, but runs those of its operator', async () => {
  await using gateway = createTestGateway({
    lockbox,
    savedPrograms: false,
    operatorServers: [inMemory('hello')],
  })
  const local = gateway.as('local')
  const save = (entry: object): Promise<Response> => local.post(paths.config, { mcpServers: { mine: entry } })
  const answer = await save(savedInMemory('hello'))
  expect(answer.status).toBe(422)
  const { issues } = await answer.json()
  expect(issues).toEqual([
    expect.objectContaining({ path: '/mcpServers/mine/command', message: expect.stringMatching(refused) }),
  ])
  expect((await save({ ...savedInMemory('hello'), disabled: true })).status).toBe(200)
  expect((await save({ url: 'https://tools.example/mcp', disabled: true })).status).toBe(200)
  await untilServer(local, 'hello', 'ready')
})

test('a program that was saved before others could reach the gateway is not started', async () => {
  {
    await using before = createTestGateway({ lockbox })
    const saved = await before.as('ada').post(paths.config, { mcpServers: { mine: savedInMemory('hello') } })
    expect(saved.status).toBe(200)
    await untilServer(before.as('ada'), 'mine', 'ready')
  }
  await using gateway = createTestGateway({ lockbox, savedPrograms: false })
  const ada = gateway.as('ada')
  expect((await untilServer(ada, 'mine', 'failed')).error).toMatch(refused)
  const run = await ada.post(paths.invoke, {
    workflowId: 'w',
    nodes: [{ id: 'one', kind: 'tool', tool: 'mine__hello' }],
  })
  expect(await run.json()).toMatchObject({
    failedToolkits: [{ name: 'mine', error: expect.stringContaining('does not start programs') }],
  })
})
