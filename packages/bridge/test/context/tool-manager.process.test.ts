import { withExecutionContext } from '@toolbridge/bridge/context'
import { ToolManager } from '@toolbridge/bridge/workflow'
import { dynamicTool, jsonSchema, type ToolSet } from 'ai'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  callTool,
  createTestWorkflows,
  plainToolkit,
  session,
  type TestWorkflows,
} from '../servers/workflows.ts'

let mcp: TestWorkflows
let setups: number

beforeEach(() => {
  mcp = createTestWorkflows()
  setups = 0
})
afterEach(() => mcp.close())

/** A manager whose setups are counted. */
function manager(
  options: Partial<ConstructorParameters<typeof ToolManager<{ user: string }>>[0]> = {},
): ToolManager<{ user: string }> {
  const counting: TestWorkflows['setupMCPForNode'] = (...request) => {
    setups += 1
    return mcp.setupMCPForNode(...request)
  }
  return new ToolManager({
    mcp: { setupMCPForNode: counting, notify: mcp.notify },
    workflowVersionId: 'v1',
    mcpToolNames: ['a'],
    ...options,
  })
}

function asUser<T>(user: string, run: () => Promise<T>): Promise<T> {
  return withExecutionContext({ principal: session(user), mcp: { toolkits: { a: plainToolkit(user) } } }, run)
}

function ownTool(says: string): ToolSet[string] {
  const execute = async (): Promise<object> => ({ content: [{ type: 'text', text: says }] })
  return dynamicTool({ inputSchema: jsonSchema({ type: 'object' }), execute })
}

test('[S2-35] toolkits are set up with the first request for tools, once for a node, beside its own tools [S2-26]', async () => {
  const node = manager({ codeTools: ({ user }) => ({ whoami: ownTool(user) }) })
  expect(setups).toBe(0)
  await asUser('ada', async () => {
    const [tools] = await Promise.all([node.getAllTools({ user: 'ada' }), node.getAllTools({ user: 'ada' })])
    await node.getAllTools({ user: 'ada' })
    expect(await callTool(tools, 'echo', { text: '' })).toBe('ada ')
    expect(await callTool(tools, 'whoami')).toBe('ada')
  })
  expect(setups).toBe(1)
})

test('the tools of a node have the report of its toolkits', async () => {
  const node = manager({ mcp, mcpToolNames: ['a', 'absent'], codeTools: () => ({ whoami: ownTool('ada') }) })
  await asUser('ada', async () => {
    const tools = await node.getAllTools({ user: 'ada' })
    const own = await mcp.setupMCPForNode(['a', 'absent'], 'v1')
    expect(mcp.reportOf(tools)).toBeDefined()
    expect(mcp.reportOf(tools)).toEqual(mcp.reportOf(own))
  })
})

test('[S2-36] toolkits can be set up ahead of time [S2-37]', async () => {
  const node = manager()
  await asUser('ada', async () => {
    await node.initializeTools()
    expect(setups).toBe(1)
    expect(Object.keys(await node.getAllTools({ user: 'ada' }))).toContain('echo')
  })
  expect(setups).toBe(1)
})

test('a node that serves two users keeps their tools apart [S2-16]', async () => {
  const node = manager()
  const said = await Promise.all(
    ['ada', 'bob'].map((user) =>
      asUser(user, async () => callTool(await node.getAllTools({ user }), 'echo', { text: '' })),
    ),
  )
  expect(said).toEqual(['ada ', 'bob '])
  expect(setups).toBe(2)
})

test('a setup that failed is told and tried again; that a toolkit is missing is no such failure', async () => {
  let isDown = true
  const node = manager({
    mcp: {
      notify: mcp.notify,
      setupMCPForNode: async (...request) => {
        if (isDown) throw new Error('down')
        return mcp.setupMCPForNode(...request)
      },
    },
  })
  await asUser('ada', async () => {
    await expect(node.getAllTools({ user: 'ada' })).rejects.toThrow('down')
    isDown = false
    expect(Object.keys(await node.getAllTools({ user: 'ada' }))).toContain('echo')
  })
})

test('when a node’s own tools fail, its toolkits work, and its own go before theirs of the same name', async () => {
  const failing = manager({
    codeTools: () => {
      throw new Error('no code')
    },
  })
  const hiding = manager({ codeTools: async () => ({ echo: ownTool('own') }) })
  await asUser('ada', async () => {
    expect(await callTool(await failing.getAllTools({ user: 'ada' }), 'echo', { text: '' })).toBe('ada ')
    expect(await callTool(await hiding.getAllTools({ user: 'ada' }), 'echo', { text: '' })).toBe('own')
  })
  const warnings = mcp.notices.filter(({ severity }) => severity === 'warning').map(({ code }) => code)
  expect(warnings).toEqual(['code_tools_failed', 'tool_name_collision'])
})
