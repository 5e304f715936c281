import { withExecutionContext } from '@toolbridge/bridge/context'
import { createMemoryPair } from '@toolbridge/client'
import { runFixture } from '@toolbridge/testkit/servers'
import type { ToolSet } from 'ai'
import { expect, test } from 'vitest'
import { ManualClock } from '../servers/manual-clock.ts'

import {
  callTool,
  createTestWorkflows,
  plainToolkit,
  session,
  type TestWorkflows,
} from '../servers/workflows.ts'

/** A host that counts which clients were opened, and knows their processes. */
function countingWorkflows(options: Parameters<typeof createTestWorkflows>[0] = {}): {
  readonly mcp: TestWorkflows
  readonly started: readonly string[]
} {
  const started: string[] = []
  const mcp = createTestWorkflows({
    clientOptions: ({ id }) => ({
      permissions: { mode: 'allow' },
      journal: (event) => {
        if (event.type === 'toolkit.started') started.push(`${event.workflow} ${id} ${event.toolkit}`)
      },
    }),
    ...options,
  })
  return { mcp, started }
}

async function echo(mcp: TestWorkflows, user: string, says: string, workflow = 'w'): Promise<string> {
  return withExecutionContext(
    { principal: session(user), mcp: { toolkits: { a: plainToolkit(says) } } },
    async () => callTool(await mcp.setupMCPForNode(['a'], workflow), 'echo', { text: '' }),
  )
}

test('two users of one workflow version never share a client, though their toolkits have the same name [d.6-4] [C26] [S2-5] [S2-16] [S2-55]', async () => {
  const { mcp, started } = countingWorkflows()
  const users = Array.from({ length: 6 }, (_, index) => `user-${index}`)
  const said = await Promise.all(users.map((user) => echo(mcp, user, `key of ${user}`)))
  expect(said).toEqual(users.map((user) => `key of ${user} `))
  // Nor do they when what they carry is the same to the letter.
  await Promise.all(users.map((user) => echo(mcp, user, 'the same key')))
  expect(new Set(started).size).toBe(6)
  expect(started.length).toBe(12)
  await mcp.close()
})

test('a user who is local and one who is not are two, though they have the same name', async () => {
  const { mcp, started } = countingWorkflows()
  await echo(mcp, 'ada', 'x')
  await withExecutionContext(
    { principal: { id: 'ada', kind: 'local' }, mcp: { toolkits: { a: plainToolkit('x') } } },
    () => mcp.setupMCPForNode(['a'], 'w'),
  )
  expect(started.length).toBe(2)
  await mcp.close()
})

test('first uses at the same time open one client [d.6-4] [C26]', async () => {
  const { mcp, started } = countingWorkflows()
  await Promise.all(Array.from({ length: 8 }, () => echo(mcp, 'ada', 'x')))
  expect(started).toEqual(['w ada a'])
  await mcp.close()
})

test('a changed definition gets a new client, and another workflow has its own [d.6-4] [C26]', async () => {
  const { mcp, started } = countingWorkflows()
  expect(await echo(mcp, 'ada', 'old key')).toBe('old key ')
  expect(await echo(mcp, 'ada', 'new key')).toBe('new key ')
  expect(await echo(mcp, 'ada', 'new key', 'w2')).toBe('new key ')
  expect(started).toEqual(['w ada a', 'w ada a', 'w2 ada a'])
  await mcp.close()
})

test('a client that nobody uses is closed, and its tools open a new one when they are called [C26]', async () => {
  const clock = new ManualClock()
  const { mcp, started } = countingWorkflows({ clock, idleMs: 1000 })
  const tools = await withExecutionContext(
    { principal: session('ada'), mcp: { toolkits: { a: plainToolkit('x') } } },
    () => mcp.setupMCPForNode(['a'], 'w'),
  )
  clock.advance(900)
  expect(await callTool(tools, 'echo', { text: '' })).toBe('x ')
  clock.advance(900)
  expect((await mcp.getMCPStatus('/nowhere')).cachedClients).toBe(1)
  clock.advance(200)
  expect((await mcp.getMCPStatus('/nowhere')).cachedClients).toBe(0)
  expect(await callTool(tools, 'echo', { text: 'again' })).toBe('x again')
  expect(started.length).toBe(2)
  await mcp.close()
})

test('a client that is open when a node is set up is not idle: its tools can still be called [C26]', async () => {
  const clock = new ManualClock()
  const { mcp } = countingWorkflows({ clock, idleMs: 1000 })
  const [link, end] = createMemoryPair()
  await runFixture('hello', end)
  const toolkits = { near: { transport: link } }
  const setUp = (): Promise<ToolSet> => mcp.setupMCPForNode(['near'], 'w', undefined, { toolkits })
  await setUp()
  clock.advance(900)
  const tools = await setUp()
  clock.advance(900)
  expect(await callTool(tools, 'hello', { name: 'Ada' })).toBe('Hello, Ada!')
  await mcp.close()
})

test('what an idle client held is closed with it', async () => {
  const clock = new ManualClock()
  const { mcp } = countingWorkflows({ clock, idleMs: 1000 })
  const [link, end] = createMemoryPair()
  await runFixture('hello', end)
  const closed = new Promise<void>((resolve) => {
    end.onclose = resolve
  })
  const toolkits = { near: { transport: link } }
  await withExecutionContext({ principal: session('ada'), mcp: { toolkits } }, () =>
    mcp.setupMCPForNode(['near'], 'w'),
  )
  clock.advance(1000)
  await closed
  await mcp.close()
})

test('a client is not idle while a call is under way, and cleared ones end with their calls [d.6-4]', async () => {
  const clock = new ManualClock()
  const { mcp, started } = countingWorkflows({ clock, idleMs: 1000 })
  const toolkits = { a: plainToolkit('x') }
  await withExecutionContext({ principal: session('ada'), mcp: { toolkits } }, async () => {
    const tools = await mcp.setupMCPForNode(['a'], 'w')
    const call = callTool(tools, 'wait', { text: 'late', delayMs: 300 })
    clock.advance(5000)
    await mcp.clearMCPClientCache()
    const another = await callTool(await mcp.setupMCPForNode(['a'], 'w'), 'echo', { text: 'new' })
    expect([await call, another]).toEqual(['x late', 'x new'])
  })
  expect(started.length).toBe(2)
  await mcp.close()
})

test('inside an execution context only the clients of its principal are cleared [S2-93]', async () => {
  const { mcp } = countingWorkflows()
  await echo(mcp, 'ada', 'x')
  await echo(mcp, 'bob', 'x')
  await withExecutionContext({ principal: session('ada') }, () => mcp.clearWorkflowMCPClientCache('w'))
  expect((await mcp.getMCPStatus('/nowhere')).cachedClients).toBe(1)
  await mcp.clearWorkflowMCPClientCache('w')
  expect((await mcp.getMCPStatus('/nowhere')).cachedClients).toBe(0)
  await mcp.close()
})

test('a toolkit that did not start is tried again by the next setup', async () => {
  const { mcp } = countingWorkflows()
  const broken = { transportSpec: { command: '/nowhere', args: [] } }
  await withExecutionContext({ principal: session('ada'), mcp: { toolkits: { a: broken } } }, async () => {
    const first = await mcp.setupMCPForNode(['a'], 'w')
    const second = await mcp.setupMCPForNode(['a'], 'w')
    for (const tools of [first, second])
      expect(mcp.reportOf(tools)?.failedTools).toMatchObject([{ name: 'a' }])
  })
  await mcp.close()
})

test('closing ends calls, closes every client and can be done twice; nothing is opened afterwards [d.6-4]', async () => {
  const { mcp } = countingWorkflows()
  const tools = await withExecutionContext(
    { principal: session('ada'), mcp: { toolkits: { a: plainToolkit('x') } } },
    () => mcp.setupMCPForNode(['a'], 'w'),
  )
  const call = callTool(tools, 'hang')
  await Promise.all([mcp.close(), mcp.close(), expect(call).rejects.toThrow()])
  await expect(callTool(tools, 'echo')).rejects.toThrow('the toolkits were closed')
})

test('giving up ends the wait and not the client, which others may wait for [S2-29]', async () => {
  const { mcp, started } = countingWorkflows()
  const leaving = new AbortController()
  await withExecutionContext(
    { principal: session('ada'), mcp: { toolkits: { a: plainToolkit('x') } } },
    async () => {
      const one = mcp.setupMCPForNode(['a'], 'w', undefined, { signal: leaving.signal })
      const other = mcp.setupMCPForNode(['a'], 'w')
      leaving.abort(new Error('gone'))
      await expect(one).rejects.toThrow('gone')
      expect(await callTool(await other, 'echo', { text: '' })).toBe('x ')
    },
  )
  expect(started.length).toBe(1)
  await mcp.close()
})
