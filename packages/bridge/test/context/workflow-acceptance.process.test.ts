import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  getExecutionContext,
  type MCPToolkitMapInput,
  withExecutionContext,
} from '@toolbridge/bridge/context'
import { createWorkflowMCP, ToolManager } from '@toolbridge/bridge/workflow'
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
let mcp: TestWorkflows

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolbridge-workflow-'))
  mcp = createTestWorkflows({ local: { kind: 'local', env: {}, workspaceFolder: folder } })
})
afterEach(async () => {
  await mcp.close()
  await rm(folder, { recursive: true })
})

const broken = { transportSpec: { command: '/nowhere/to/be/found', args: [] } }

function inSession<T>(toolkits: MCPToolkitMapInput, run: () => Promise<T>): Promise<T> {
  return withExecutionContext({ principal: session('ada'), mcp: { toolkits } }, run)
}

async function writeSecretFile(name: string, servers: Readonly<Record<string, string>>): Promise<string> {
  const file = join(folder, name)
  const entries = Object.entries(servers).map(([key, says]) => {
    const { command, args, env } = plainServer(says)
    return [key, { command, args, env }]
  })
  await writeFile(file, JSON.stringify({ mcpServers: Object.fromEntries(entries) }))
  return file
}

const codes = (): readonly string[] =>
  mcp.notices.filter(({ severity }) => severity === 'warning').map(({ code }) => code)

test('[S2-47] [S2-70] toolkits of a user are tools during execution, with no mcp-secret.json [S2-59]', async () => {
  await inSession({ tavily: plainToolkit('tavily') }, async () => {
    const tools = await mcp.setupMCPForNode(['tavily'], 'w1')
    expect(Object.keys(tools)).toEqual(['echo', 'grow', 'hang', 'wait'])
    expect(await callTool(tools, 'echo', { text: 'hi' })).toBe('tavily hi')
  })
  expect(await readdir(folder)).toEqual([])
})

test('[S2-40] [S2-49] [S2-53] [S2-66] with no toolkits, mcp-secret.json of the folder is used, which is told [S2-4] [S2-17] [S2-38] [S2-60] [S2-94]', async () => {
  await writeSecretFile('mcp-secret.json', { local: 'from the file' })
  const tools = await mcp.setupMCPForNode(['local'], 'w1')
  expect(await callTool(tools, 'echo', { text: 'x' })).toBe('from the file x')
  expect(mcp.reportOf(tools)?.toolkits).toMatchObject([{ name: 'local', source: 'file', isStarted: true }])
  expect(codes()).toEqual(['file_fallback'])
})

test('[S2-50] names that a workflow gives resolve to the definitions that are carried [S2-30]', async () => {
  await inSession({ a: plainToolkit('a'), b: plainToolkit('b') }, async () => {
    const tools = await mcp.setupMCPForNode(['b'], 'w1', undefined, {
      toolkits: getExecutionContext()?.mcp?.toolkits ?? {},
    })
    expect(await callTool(tools, 'echo', { text: '' })).toBe('b ')
    expect(tools['echo']).toMatchObject({ type: 'dynamic', inputSchema: { jsonSchema: { type: 'object' } } })
  })
  expect(await mcp.setupMCPForNode(null, 'w1')).toEqual({})
  expect(await mcp.setupMCPForNode(undefined, 'w1')).toEqual({})
})

test('[S2-51] toolkits go before the file, name by name, and the file before nothing [S2-3] [S2-9] [S2-14] [S2-32] [C4]', async () => {
  const configPath = await writeSecretFile('named.json', { a: 'the file', c: 'the file' })
  const toolkits = { a: plainToolkit('the context') }
  const one = await mcp.setupMCPForNode(['a'], 'w1', configPath, { toolkits })
  expect(await callTool(one, 'echo', { text: '' })).toBe('the context ')
  const other = await mcp.setupMCPForNode(['c'], 'w1', configPath, { toolkits })
  expect(await callTool(other, 'echo', { text: '' })).toBe('the file ')
})

test('[S2-51] the file is the one the caller names, then the one of MCP_SECRET_PATH, then mcp-secret.json [d.6-5] [S2-4] [S2-33]', async () => {
  const named = await writeSecretFile('named.json', { a: 'named' })
  const env = { MCP_SECRET_PATH: await writeSecretFile('variable.json', { a: 'variable' }) }
  await writeSecretFile('mcp-secret.json', { a: 'folder' })
  await using other = createTestWorkflows({ local: { kind: 'local', env, workspaceFolder: folder } })
  const says = async (host: TestWorkflows, path?: string): Promise<string> =>
    callTool(await host.setupMCPForNode(['a'], 'w1', path), 'echo', { text: '' })
  expect(await says(other, named)).toBe('named ')
  expect(await says(other)).toBe('variable ')
  expect(await says(mcp)).toBe('folder ')
})

test('[S2-52] context, manager, setup and the tools of a client work as one [C4] [S2-10] [S2-16]', async () => {
  const manager = new ToolManager({ mcp, workflowVersionId: 'v1', mcpToolNames: ['tavily'] })
  const [ada, bob] = await Promise.all(
    ['ada', 'bob'].map((id) =>
      withExecutionContext(
        { principal: session(id), mcp: { toolkits: { tavily: plainToolkit(id) } } },
        async () => callTool(await manager.getAllTools(), 'echo', { text: 'asks' }),
      ),
    ),
  )
  expect([ada, bob]).toEqual(['ada asks', 'bob asks'])
})

test('[S2-61] a toolkit without a command or arguments is refused with every issue', async () => {
  const toolkits: unknown = {
    a: { transportSpec: { args: [] } },
    b: { transportSpec: { command: 'x', args: 'y' } },
  }
  await expect(
    mcp.setupMCPForNode(['a'], 'w1', undefined, { toolkits: toolkits as MCPToolkitMapInput }),
  ).rejects.toMatchObject({
    code: 'config_invalid',
    issues: [{ path: '/a/transportSpec/command' }, { path: '/b/transportSpec/args' }],
  })
})

test('[S2-62] sixteen servers are used in one invocation, in the order of request; the rest is refused by name [C24]', async () => {
  const names = Array.from({ length: 18 }, (_, index) => `s${index}`)
  const prefetched = { ...broken, tools: { search: {} } }
  const toolkits = Object.fromEntries(names.map((name) => [name, prefetched]))
  await inSession(toolkits, async () => {
    const first = await mcp.setupMCPForNode(['s17', ...names.slice(0, 14)], 'w1')
    const second = await mcp.setupMCPForNode(names, 'w1')
    expect(mcp.reportOf(first)?.refused).toEqual([])
    expect(mcp.reportOf(second)?.refused).toEqual(['s15', 's16'])
    expect(mcp.reportOf(second)?.toolkits.map(({ name }) => name)).toEqual([...names.slice(0, 15), 's17'])
  })
  expect(mcp.notices.find(({ code }) => code === 'toolkit_refused')?.message).toContain(
    'at most 16 servers; not started: s15, s16',
  )
})

test('[S2-63] values of an environment become text', async () => {
  const { command, args } = plainServer('x')
  const toolkits = { a: { transportSpec: { command, args, env: { NAME: 42 } } } }
  const tools = await mcp.setupMCPForNode(['a'], 'w1', undefined, { toolkits })
  expect(await callTool(tools, 'echo', { text: '' })).toBe('42 ')
})

test('[S2-64] a name that is not there is told, as what was asked for beside what there is', async () => {
  await inSession({ tavily: plainToolkit('tavily') }, async () => {
    const tools = await mcp.setupMCPForNode(['tavily', 'firecrawl'], 'w1')
    expect(mcp.reportOf(tools)?.missing).toEqual(['firecrawl'])
  })
  expect(mcp.notices.find(({ code }) => code === 'toolkit_missing')).toMatchObject({
    workflowId: 'w1',
    requested: ['tavily', 'firecrawl'],
    available: ['tavily'],
    message: 'no toolkit is called firecrawl; available: tavily; save them for this user',
  })
})

test('warnings and the status are printed to stderr where the host takes no notices', async () => {
  const printed: string[] = []
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    printed.push(String(text))
    return true
  })
  const local = { kind: 'local', env: {}, workspaceFolder: folder } as const
  await using workflows = createWorkflowMCP({ local })
  await workflows.setupMCPForNode(['firecrawl'], 'w1', undefined, { toolkits: {} })
  await workflows.logMCPStatus()
  stderr.mockRestore()
  expect(printed).toContainEqual(expect.stringMatching(/^no toolkit is called firecrawl; .*\n$/))
  expect(printed).toContainEqual(expect.stringMatching(/^MCP toolkits: none; .*\n$/))
})

test('[S2-65] whatever is not used as asked leaves a warning with a remedy', async () => {
  await mcp.setupMCPForNode(['a'], 'w1')
  expect(codes()).toEqual(['file_missing', 'toolkit_missing'])
  expect(mcp.notices[0]?.message).toContain('enter an execution context with mcp.toolkits, or create it')
  await writeFile(join(folder, 'mcp-secret.json'), '{ "mcpServers": { "a": { "command": "x" } } }')
  const tools = await mcp.setupMCPForNode(['a'], 'w1')
  expect(mcp.reportOf(tools)?.failedTools).toEqual([
    { name: 'a', error: expect.stringContaining('"args" is missing') },
  ])
})

test('[S2-67] a session’s toolkits start from its context, and a file beside them has no say', async () => {
  const configPath = await writeSecretFile('mcp-secret.json', { mine: 'the file', other: 'the file' })
  await inSession({ mine: plainToolkit('the context') }, async () => {
    const tools = await mcp.setupMCPForNode(['mine', 'other'], 'w1', configPath)
    expect(await callTool(tools, 'echo', { text: '' })).toBe('the context ')
    expect(mcp.reportOf(tools)?.missing).toEqual(['other'])
    expect(await mcp.getMCPStatus(configPath)).toEqual({
      configured: true,
      availableServers: ['mine'],
      cachedClients: 1,
      configPath: undefined,
    })
  })
})

test('[S2-41] [S2-43] [S2-68] one toolkit that cannot start leaves the others working, and a warning', async () => {
  await inSession({ broken, fine: plainToolkit('fine') }, async () => {
    const tools = await mcp.setupMCPForNode(['broken', 'fine'], 'w1')
    expect(await callTool(tools, 'echo', { text: '' })).toBe('fine ')
    expect(mcp.reportOf(tools)?.failedTools).toEqual([
      { name: 'broken', error: expect.stringContaining('broken') },
    ])
    expect((await mcp.getMCPStatus()).cachedClients).toBe(1)
  })
  expect(mcp.notices.find(({ code }) => code === 'toolkit_failed')).toMatchObject({
    severity: 'warning',
    toolkit: 'broken',
  })
})

test('[S2-69] invocations of one workflow version use the same client until it is cleared [S2-34] [S2-93] [C4]', async () => {
  const started: string[] = []
  await using counted = createTestWorkflows({
    clientOptions: () => ({
      permissions: { mode: 'allow' },
      journal: (event) => void (event.type === 'toolkit.started' && started.push(event.workflow)),
    }),
  })
  const run = (): Promise<string> =>
    inSession({ a: plainToolkit('a') }, async () =>
      callTool(await counted.setupMCPForNode(['a'], 'v1'), 'echo', { text: '' }),
    )
  await run()
  await run()
  await counted.clearWorkflowMCPClientCache('another')
  await run()
  expect(started).toEqual(['v1'])
  await counted.clearWorkflowMCPClientCache('v1')
  await run()
  expect(started).toEqual(['v1', 'v1'])
})

test('[S2-71] what there is to say shows which toolkit gave which tools [S2-46]', async () => {
  await inSession({ a: plainToolkit('a') }, () => mcp.setupMCPForNode(['a'], 'w1'))
  expect(mcp.notices).toEqual([
    {
      severity: 'info',
      code: 'toolkit_resolved',
      workflowId: 'w1',
      toolkit: 'a',
      tools: ['echo', 'grow', 'hang', 'wait'],
      message: 'toolkit "a" (context): echo, grow, hang, wait',
    },
  ])
  await mcp.logMCPStatus()
  expect(mcp.notices.at(-1)?.message).toBe(
    `MCP toolkits: none; open clients: 1; file: ${join(folder, 'mcp-secret.json')}`,
  )
})
