import { type BridgeEvent, openBridge } from '@toolbridge/bridge'
import { type MCPToolkitMapInput, withExecutionContext } from '@toolbridge/bridge/context'
import { createCounters } from '@toolbridge/bridge/journal'
import type { McpHooks } from '@toolbridge/client'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'
import { fixture, ownServer, permissive, plainServer } from '../servers/specs.ts'
import { callTool, createTestWorkflows, plainToolkit, session } from '../servers/workflows.ts'

/** Hooks that keep what they are told. */
function keepingHooks(): { readonly hooks: McpHooks; readonly told: readonly (readonly [string, object])[] } {
  const told: [string, object][] = []
  const hooks: McpHooks = {
    onMcpConnect: (event) => told.push(['onMcpConnect', event]),
    onMcpToolCall: (event) => told.push(['onMcpToolCall', event]),
    onMcpError: (event) => told.push(['onMcpError', event]),
  }
  return { hooks, told }
}

test('hooks hear of connections, answers and failures with their trace, each once and in order', async () => {
  const { hooks, told } = keepingHooks()
  const chatty = { ...ownServer('chatty'), env: { CHATTY_TOKEN: canary('token') } }
  const bridge = await openBridge({ ...permissive([plainServer('plain'), chatty]), hooks })
  const trace = { requestId: 'r-1', traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }
  const origin = { principal: 'local', conversation: 'main' }
  await bridge.call('plain__echo', { text: 'x' }, { trace, origin })
  await bridge.call('chatty__refuse').catch(() => {})
  await bridge.call('plain__hang', {}, { timeoutMs: 50 }).catch(() => {})
  await bridge.close()
  const connects = told.filter(([hook]) => hook === 'onMcpConnect').map(([, event]) => event)
  expect(connects).toHaveLength(2)
  expect(connects).toEqual(
    expect.arrayContaining([
      { server: 'plain', transport: 'stdio', serverName: 'plain', serverVersion: '1.0.0', toolCount: 4 },
      { server: 'chatty', transport: 'stdio', serverName: 'chatty', serverVersion: '1', toolCount: 2 },
    ]),
  )
  const callId = expect.stringMatching(/^[\da-f-]{36}$/)
  expect(told.slice(2)).toEqual([
    [
      'onMcpToolCall',
      {
        server: 'plain',
        tool: 'echo',
        latencyMs: expect.any(Number),
        isError: false,
        trace: { sessionId: 'main', ...trace, callId },
      },
    ],
    [
      'onMcpError',
      {
        server: 'chatty',
        phase: 'request',
        error: expect.objectContaining({
          kind: 'peer',
          code: -32_000,
          message: 'cannot log in with [redacted]',
        }),
        trace: { sessionId: 'main', callId },
      },
    ],
    [
      'onMcpError',
      expect.objectContaining({ phase: 'request', error: expect.objectContaining({ kind: 'timeout' }) }),
    ],
  ])
})

test('hooks hear of a server that does not start, of a tool that fails and of a connection that is lost', async () => {
  const { hooks, told } = keepingHooks()
  const missing = { ...plainServer('missing'), command: '/nowhere/to/be/found' }
  await using bridge = await openBridge({ ...permissive([fixture('hello'), missing]), hooks })
  expect(told.find(([hook]) => hook === 'onMcpError')?.[1]).toMatchObject({
    server: 'missing',
    phase: 'connect',
    error: { kind: 'unreachable' },
  })
  await bridge.call('hello__repeat', { text: 7 })
  expect(told.at(-1)).toMatchObject(['onMcpToolCall', { tool: 'repeat', isError: true }])
  process.kill(bridge.processes()[0]?.pid ?? 0, 'SIGKILL')
  await expect
    .poll(() => told.at(-1))
    .toMatchObject(['onMcpError', { server: 'hello', phase: 'listen', error: { kind: 'closed' } }])
})

test('a call that was not permitted is no error of the server, and a hook that throws changes nothing', async () => {
  const { hooks, told } = keepingHooks()
  const onMcpConnect = (): never => {
    throw new Error('not now')
  }
  await using bridge = await openBridge({
    ...permissive([plainServer('plain')]),
    permissions: { mode: 'allow', deny: ['mcp://plain/wait'] },
    hooks: { ...hooks, onMcpConnect },
  })
  await bridge.call('plain__wait').catch(() => {})
  expect(told).toEqual([])
  expect((await bridge.call('plain__echo', { text: 'x' })).isError).not.toBe(true)
})

test('[S2-44] [S2-45] the counters of a scripted run are exact [C31]', async () => {
  const counters = createCounters()
  const events: BridgeEvent[] = []
  const journal = (event: BridgeEvent): void => {
    counters.journal(event)
    events.push(event)
  }
  const clientOptions = () => ({ permissions: { mode: 'allow' }, journal }) as const
  await using mcp = createTestWorkflows({ clientOptions })
  const broken = { transportSpec: { command: '/nowhere/to/be/found', args: [] } }
  const toolkits: MCPToolkitMapInput = { mail: plainToolkit('mail'), broken }
  await withExecutionContext({ principal: session('ada'), mcp: { toolkits } }, async () => {
    await mcp.setupMCPForNode(['mail', 'broken', 'unknown'], 'v1')
    const tools = await mcp.setupMCPForNode(['mail'], 'v1')
    await callTool(tools, 'echo', { text: 'x' })
    await mcp.setupMCPForNode(['mail'], 'v2')
  })
  const seen = counters
    .read()
    .map(
      ({ name, tags, value }) =>
        `${name} ${tags.workflowVersionId} ${tags.toolkit} ${tags.tool ?? '-'} ${value}`,
    )
  const materialized = ['echo', 'grow', 'hang', 'wait'].flatMap((tool) => [
    `mcp.tools.materialized v1 mail ${tool} 2`,
    `mcp.tools.materialized v2 mail ${tool} 1`,
  ])
  expect(seen.toSorted()).toEqual(
    [
      'mcp.clients.failed v1 broken - 1',
      'mcp.clients.started v1 mail - 1',
      'mcp.clients.started v2 mail - 1',
      'mcp.context.toolkits_used v1 broken - 1',
      'mcp.context.toolkits_used v1 mail - 2',
      'mcp.context.toolkits_used v2 mail - 1',
      ...materialized,
    ].toSorted(),
  )
  const calls = events.filter(({ type }) => type === 'call.finished')
  expect(calls).toMatchObject([{ rawName: 'echo', outcome: 'ok', origin: { principal: 'ada' } }])
})
