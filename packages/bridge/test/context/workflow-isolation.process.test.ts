import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withExecutionContext } from '@toolbridge/bridge/context'
import { type AgentAppsContext, mcpMiddleware } from '@toolbridge/bridge/agent-apps'
import { ToolManager } from '@toolbridge/bridge/workflow'
import { watchMachine } from '@toolbridge/testkit/machine'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { plainServer } from '../servers/specs.ts'
import {
  callTool,
  createTestWorkflows,
  plainToolkit,
  session,
  type TestWorkflows,
} from '../servers/workflows.ts'

let folder: string
let secretFile: string
let mcp: TestWorkflows

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolbridge-isolation-'))
  secretFile = join(folder, 'secret.json')
  const { command, args, env } = plainServer('of the machine')
  const mcpServers = { mine: { command, args, env }, other: { command, args, env } }
  await writeFile(secretFile, JSON.stringify({ mcpServers }))
  vi.stubEnv('MCP_SECRET_PATH', secretFile)
  mcp = createTestWorkflows()
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await mcp.close()
  await rm(folder, { recursive: true })
})

/** Everything that can be asked of toolkits in one invocation. */
async function invoke(toolkits: Readonly<Record<string, ReturnType<typeof plainToolkit>>>): Promise<string> {
  const context = { principal: session('ada'), mcp: { toolkits } }
  return withExecutionContext(context, async () => {
    const manager = new ToolManager({
      mcp,
      workflowVersionId: 'w',
      mcpToolNames: ['mine', 'other', 'gone'],
      mcpConfigPath: secretFile,
    })
    await manager.initializeTools()
    const said = await callTool(await manager.getAllTools(), 'echo', { text: '' })
    const provided = await mcp.setupMCPForNode(['other'], 'w', secretFile, {
      transportProvider: () => undefined,
    })
    expect(mcp.reportOf(provided)?.missing).toEqual(['other'])
    await mcp.logMCPStatus(secretFile)
    await mcp.clearWorkflowMCPClientCache('w')
    return said
  })
}

test('[S2-48] [S2-67] an invocation of a session asks this machine for no variable and no file, on any route [d.6-5] [S2-56] [S2-54] [S2-90]', async () => {
  using watched = watchMachine()
  expect(await invoke({ mine: plainToolkit('of the session') })).toBe('of the session ')
  expect(watched.variables).toEqual([])
  expect(watched.files).toEqual([])
  expect(watched.written).toEqual([])
})

test('the same watch sees a local principal ask for both', async () => {
  await mcp.setupMCPForNode(['mine'], 'w')
  using watched = watchMachine()
  const tools = await mcp.setupMCPForNode(['mine'], 'w2')
  expect(mcp.reportOf(tools)?.toolkits).toMatchObject([{ name: 'mine', source: 'file' }])
  expect(watched.variables).toContain('MCP_SECRET_PATH')
  expect(watched.files).toContain(secretFile)
})

test('a session’s toolkit that names the environment, a file or a folder of the machine fails, and says so', async () => {
  const { command, args } = plainServer('x')
  const refused = ['${env:MCP_SECRET_PATH}', `\${file:${'/etc/passwd'}}`, '${workspaceFolder}']
  const toolkits = Object.fromEntries(
    refused.map((value, index) => [`t${index}`, { transportSpec: { command, args, env: { NAME: value } } }]),
  )
  await withExecutionContext({ principal: session('ada'), mcp: { toolkits } }, async () => {
    const tools = await mcp.setupMCPForNode(Object.keys(toolkits), 'w')
    const { failedTools = [] } = mcp.reportOf(tools) ?? {}
    expect(failedTools.map(({ name }) => name)).toEqual(['t0', 't1', 't2'])
    for (const { error } of failedTools) expect(error).toContain('belongs to the machine')
  })
})

test('a platform that serves sessions only refuses to run outside of one', async () => {
  await using platform = createTestWorkflows({ local: 'refused' })
  await expect(platform.setupMCPForNode(['mine'], 'w')).rejects.toThrow('only sessions are served here')
  await expect(platform.getMCPStatus()).rejects.toThrow('only sessions are served here')
  const local = { principal: { id: 'me', kind: 'local' }, mcp: { toolkits: {} } } as const
  await expect(withExecutionContext(local, () => platform.setupMCPForNode(['mine'], 'w'))).rejects.toThrow(
    'only sessions are served here',
  )
})

test('the metadata of a skill that runs for a session asks this machine for nothing either', async () => {
  await using middleware = mcpMiddleware({
    clientOptions: () => ({ permissions: { mode: 'allow' } }),
    onNotice: () => {},
  })
  const { command, args } = plainServer('x')
  const context: AgentAppsContext & { readonly target: { readonly config: Record<string, unknown> } } = {
    nonlocals: { user: 'ada' },
    globals: { tools: { programmaticTools: new Map() }, runtime: { invoke: async () => undefined } },
    target: { config: {} },
  }
  const run = (name: string): Promise<void> =>
    withExecutionContext({ principal: session('ada') }, () =>
      middleware.fn(context, {
        [name]: { command, args, env: { NAME: '${nonlocals.user}' } },
        greedy: { command, args, env: { NAME: '\\${MCP_SECRET_PATH}' } },
      }),
    )
  using watched = watchMachine()
  await run('second')
  expect(context.target.config['mcp']).toMatchObject({
    second: { tools: expect.arrayContaining(['second-echo']) },
    greedy: { error: expect.stringContaining('belongs to the machine') },
  })
  expect(watched.variables).toEqual([])
  expect(watched.files).toEqual([])
})
