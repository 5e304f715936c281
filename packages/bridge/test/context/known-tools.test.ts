import { withExecutionContext } from '@toolbridge/bridge/context'
import type { ToolSet } from 'ai'
import { expect, test } from 'vitest'
import { ManualClock } from '../servers/manual-clock.ts'
import {
  callTool,
  createTestWorkflows,
  memoryToolkit,
  session,
  type TestWorkflows,
} from '../servers/workflows.ts'

const stale = [
  { name: 'hello', description: 'as it was', inputSchema: { type: 'object' } },
  { name: 'gone', inputSchema: { type: 'object' } },
] as const

function setUp(mcp: TestWorkflows, tools: object | undefined, workflow = 'w'): Promise<ToolSet> {
  const a = { ...memoryToolkit('hello'), ...(tools === undefined ? {} : { tools }) } as ReturnType<
    typeof memoryToolkit
  >
  return withExecutionContext({ principal: session('ada'), mcp: { toolkits: { a } } }, () =>
    mcp.setupMCPForNode(['a'], workflow),
  )
}

function differences(mcp: TestWorkflows): readonly string[] {
  return mcp.notices.filter(({ code }) => code === 'tools_differ').map(({ message }) => message)
}

test('the list of a server replaces the tools that came with its toolkit, which is reported once [C27] [S2-23]', async () => {
  await using mcp = createTestWorkflows()
  const before = await setUp(mcp, stale)
  expect(Object.keys(before)).toEqual(['gone', 'hello'])
  expect(differences(mcp)).toEqual([])
  expect(await callTool(before, 'hello')).toBe('Hello, world!')
  expect(differences(mcp)).toEqual([
    'toolkit "a": its server lists other tools than the toolkit: new: repeat; gone: gone; changed: hello; pass the current ones',
  ])
  expect(Object.keys(await setUp(mcp, stale))).toEqual(['hello', 'repeat'])
  expect(await callTool(before, 'hello')).toBe('Hello, world!')
  expect(differences(mcp)).toHaveLength(1)
})

test('the list of a server counts also after its client was closed [C27]', async () => {
  const clock = new ManualClock()
  await using mcp = createTestWorkflows({ clock, idleMs: 1000 })
  await callTool(await setUp(mcp, stale), 'hello')
  clock.advance(2000)
  const after = await setUp(mcp, stale)
  expect(mcp.reportOf(after)?.toolkits).toMatchObject([{ isStarted: false, tools: ['hello', 'repeat'] }])
  expect(await callTool(after, 'repeat', { text: 'again', count: 1 })).toBe('again')
  expect(differences(mcp)).toHaveLength(1)
  // The client of another workflow has not listed anything yet.
  expect(Object.keys(await setUp(mcp, stale, 'other'))).toEqual(['gone', 'hello'])
})

test('tools that are what the server lists, or have only names, are no difference [C27]', async () => {
  await using mcp = createTestWorkflows()
  await callTool(await setUp(mcp, { hello: {}, repeat: {} }), 'hello')
  expect(differences(mcp)).toEqual([])
})
