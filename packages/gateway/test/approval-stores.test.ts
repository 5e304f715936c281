import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { paths } from '@toolbridge/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { approvalStores } from '../src/owners/approval-stores.ts'
import { type Caller, createTestGateway, type TestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { savedInMemory } from './support/specs.ts'
import { questionsOf, untilAsked, untilServer } from './support/waiting.ts'

const lockbox = await openFileLockbox()
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolbridge-approvals-'))
})
afterAll(() => rm(folder, { recursive: true }))

function openGateway(): TestGateway {
  const approvals = approvalStores(folder, lockbox)
  return createTestGateway({ lockbox, approvals, permissions: { mode: 'ask' } })
}

/** A workflow asks, because nobody looks at the console while it runs. */
function invoke(caller: Caller): Promise<Response> {
  const nodes = [{ id: 'one', kind: 'tool', tool: 'hello__hello' }]
  return caller.post(paths.invoke, { workflowId: 'w', nodes })
}

async function approve(caller: Caller): Promise<void> {
  const running = invoke(caller)
  const { id } = await untilAsked(caller)
  await caller.post(paths.answer(id), { action: 'accept', decision: 'always' })
  expect(await (await running).json()).toMatchObject({ nodes: [{ status: 'ok' }] })
}

test('a permanent approval of a person is an encrypted row that outlives the gateway, and is of that person only', async () => {
  {
    await using before = openGateway()
    for (const name of ['ada', 'bob']) {
      await before.as(name).post(paths.config, { mcpServers: { hello: savedInMemory('hello') } })
      await untilServer(before.as(name), 'hello', 'ready')
    }
    await approve(before.as('ada'))
    expect(await lockbox.grants.list('ada')).toMatchObject([{ server: 'hello', tool: 'hello' }])
    expect(existsSync(join(folder, 'grants'))).toBe(false)
  }
  await using gateway = openGateway()
  expect(await (await invoke(gateway.as('ada'))).json()).toMatchObject({ nodes: [{ status: 'ok' }] })
  expect(await questionsOf(gateway.as('ada'))).toEqual([])
  await approve(gateway.as('bob'))
})

test('the approvals of the local owner stay files, which the command reads', async () => {
  await using gateway = openGateway()
  const local = gateway.as('local')
  await local.post(paths.config, { mcpServers: { hello: savedInMemory('hello') } })
  await untilServer(local, 'hello', 'ready')
  await approve(local)
  expect(existsSync(join(folder, 'grants'))).toBe(true)
  expect(await lockbox.grants.list('local')).toEqual([])
})
