import { paths, type WorkflowInvokeResponse } from '@toolbridge/api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { linkInMemory } from '../../bridge/test/servers/in-memory.ts'
import { type Caller, createTestGateway, type TestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { savedInMemory } from './support/specs.ts'
import { untilHang } from './support/waiting.ts'

const lockbox = await openFileLockbox()
let gateway: TestGateway
let ada: Caller
let bob: Caller
let people = 0
/** The servers that were started and not stopped. No bridge of the console is opened in this file. */
let running: string[]

beforeEach(async () => {
  running = []
  people += 1
  const names = [`ada-${people}`, `bob-${people}`]
  gateway = createTestGateway({ lockbox, principals: names, transportOf: countedLink })
  ;[ada, bob] = names.map((name) => gateway.as(name)) as [Caller, Caller]
  for (const person of [ada, bob])
    await person.post(paths.config, { mcpServers: { mine: savedInMemory('hello') } })
  expect(await Promise.all([repeat(ada), repeat(bob)])).toEqual(['ok', 'ok'])
  expect(running).toEqual(['mine', 'mine'])
})
afterEach(() => gateway[Symbol.asyncDispose]())

const countedLink: typeof linkInMemory = (spec) => {
  const link = linkInMemory(spec)
  const close = link?.close.bind(link)
  if (link === undefined || close === undefined) return undefined
  running.push(spec.name)
  let isOpen = true
  const closeCounted = async (): Promise<void> => {
    if (isOpen) running.splice(running.indexOf(spec.name), 1)
    isOpen = false
    await close()
  }
  return Object.assign(link, { close: closeCounted })
}

async function repeat(person: Caller, server = 'mine'): Promise<string | undefined> {
  const nodes = [{ kind: 'tool', id: 'one', tool: `mcp://${server}/repeat`, arguments: { text: 'a' } }]
  const answer = await person.post(paths.invoke, { workflowId: 'w', nodes })
  const { nodes: results }: WorkflowInvokeResponse = await answer.json()
  return results[0]?.status === 'failed' ? results[0].code : results[0]?.status
}

test('new rules of a person decide their next workflow call, and nobody else’s server is stopped [S1-5] [S2-42]', async () => {
  const rules = { deny: ['mcp://mine/repeat'] }
  expect((await ada.put(paths.permissions, { rules })).status).toBe(200)
  expect(running).toEqual(['mine'])
  expect(await repeat(ada)).toBe('denied')
  expect(await repeat(bob)).toBe('ok')
})

test('a save stops the servers of the person’s workflows, so that a removed one does not run on [C25]', async () => {
  await ada.post(paths.config, { mcpServers: { other: savedInMemory('hello') } })
  await expect.poll(() => running, untilHang).toEqual(['mine'])
  expect([await repeat(ada), await repeat(ada, 'other'), await repeat(bob)]).toEqual([
    'unknown_tool',
    'ok',
    'ok',
  ])
})

test('taking away the access of a person stops the servers of their workflows', async () => {
  expect((await gateway.as('local').delete(paths.person(`ada-${people}`))).status).toBe(200)
  expect(running).toEqual(['mine'])
})

test('saved servers are read, and the read recorded, once until they change', async () => {
  const reads = async (): Promise<number> => {
    const entries = await lockbox.audit.recent(`ada-${people}`, 100)
    return entries.filter(({ action, name }) => action === 'read' && name[1] === 'servers').length
  }
  const before = await reads()
  for (let count = 0; count < 3; count += 1) expect(await repeat(ada)).toBe('ok')
  expect(await reads()).toBe(before)
  await ada.post(paths.config, { mcpServers: { mine: savedInMemory('hello') } })
  expect([await repeat(ada), await repeat(ada)]).toEqual(['ok', 'ok'])
  expect(await reads()).toBe(before + 1)
})
