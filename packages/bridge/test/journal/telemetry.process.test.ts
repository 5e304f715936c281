import { fileURLToPath } from 'node:url'
import { context, propagation, trace } from '@opentelemetry/api'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { type Bridge, type BridgeOptions, openBridge, type ServerSpec, toText } from '@toolbridge/bridge'
import { agentTools } from '@toolbridge/bridge/agent-tool'
import { createCodeRunner } from '@toolbridge/bridge/code'
import { openTelemetry } from '@toolbridge/bridge/telemetry'
import { canary } from '@toolbridge/testkit/secrets'
import { startSseFixture } from '@toolbridge/testkit/servers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nodeServer, permissive, plainServer } from '../servers/specs.ts'
import { type Collector, pointsOf, type ReceivedSpan, startCollector } from '../servers/collector.ts'

const secret = `${canary('span')}/Heliotrop & more`

let collector: Collector
let tracerProvider: NodeTracerProvider

beforeAll(async () => {
  collector = await startCollector()
  const spans = new OTLPTraceExporter({ url: `${collector.url}/v1/traces` })
  tracerProvider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] })
  tracerProvider.register()
})

afterAll(async () => {
  await tracerProvider.shutdown()
  for (const api of [trace, context, propagation]) api.disable()
  await collector[Symbol.asyncDispose]()
})

function traced(): ServerSpec {
  const program = fileURLToPath(new URL('../servers/traced.mjs', import.meta.url))
  return { ...nodeServer('traced', program), env: { COLLECTOR: collector.url, TOKEN: secret } }
}

function open(options: Partial<BridgeOptions> = {}): Promise<Bridge> {
  return openBridge({ ...permissive([traced()]), telemetry: openTelemetry(), ...options })
}

/** What an agent does around a call: a span of its own, in which the call is made. */
async function asAgent<T>(name: string, work: () => Promise<T>): Promise<T> {
  return trace.getTracer('agent').startActiveSpan(name, async (span) => {
    try {
      return await work()
    } finally {
      span.end()
    }
  })
}

async function spansOf(agent: string): Promise<readonly ReceivedSpan[]> {
  await tracerProvider.forceFlush()
  const { spans } = await collector.received()
  const traceId = spans.find(({ name }) => name === agent)?.traceId
  return spans.filter((span) => span.traceId === traceId)
}

const kinds = { internal: 1, server: 2, client: 3 }

test('one trace leads from the agent through the bridge into the server, also when many call at once', async () => {
  await using bridge = await open()
  const agents = Array.from({ length: 8 }, (_, index) => `agent ${index}`)
  await Promise.all(agents.map((agent) => asAgent(agent, () => bridge.call('traced__weather'))))
  for (const name of agents) {
    const spans = await spansOf(name)
    const [agent, client, server] = [kinds.internal, kinds.client, kinds.server].map((kind) =>
      spans.filter((span) => span.kind === kind),
    )
    expect(agent).toMatchObject([{ name }])
    expect(client).toMatchObject([{ name: 'tools/call weather', parentSpanId: agent?.[0]?.spanId }])
    expect(server).toMatchObject([{ name: 'tools/call weather', parentSpanId: client?.[0]?.spanId }])
    expect(client?.[0]?.scope).toMatchObject({ name: '@toolbridge/bridge' })
  }
})

test('a run of code is a span below that of the caller, and above those of its calls', async () => {
  await using bridge = await open()
  await using runner = createCodeRunner()
  const [runCode] = agentTools(bridge, { code: { runner } })
  const run = (agent: string, code: string): Promise<unknown> =>
    asAgent(agent, async () => runCode?.execute({ code }))
  await run('coding', 'await tools.traced__weather({}); await tools.traced__weather({})')
  await run('miscoding', 'await tools.traced__weather({}); throw new Error("Kanarienvogel")')
  for (const [name, told] of [
    ['coding', { attributes: { 'toolbridge.code.calls': 2 }, status: { code: 0 } }],
    ['miscoding', { attributes: { 'toolbridge.code.calls': 1, 'error.type': 'error' }, status: { code: 2 } }],
  ] as const) {
    const spans = await spansOf(name)
    const agent = spans.find((span) => span.name === name)
    const code = spans.find((span) => span.name === 'execute_tool run_code')
    expect(code).toMatchObject({ kind: kinds.internal, parentSpanId: agent?.spanId, ...told })
    expect(code?.attributes).toMatchObject({ 'gen_ai.tool.name': 'run_code' })
    const calls = spans.filter(({ kind }) => kind === kinds.client)
    expect(calls).toHaveLength(told.attributes['toolbridge.code.calls'])
    expect(new Set(calls.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([code?.spanId]))
  }
})

test('the span of a call says what was called and how the server is reached', async () => {
  await using bridge = await open()
  await asAgent('describing', () => bridge.call('traced__weather'))
  const client = (await spansOf('describing')).find(({ kind }) => kind === kinds.client)
  expect(client?.attributes).toEqual({
    'mcp.method.name': 'tools/call',
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'weather',
    'mcp.protocol.version': '2025-11-25',
    'network.transport': 'pipe',
    'toolbridge.server': 'traced',
    'toolbridge.permission.verdict': 'allow',
  })
  expect(client?.status).toEqual({ code: 0 })
})

test('failures of tools, of servers and of permission are told apart, and without secrets', async () => {
  await using bridge = await open({ permissions: { mode: 'allow', deny: ['mcp://traced/weather'] } })
  await asAgent('failing', async () => {
    await bridge.call('traced__fail')
    await bridge.call('traced__refuse').catch(() => {})
    await bridge.call('traced__weather').catch(() => {})
  })
  const clients = (await spansOf('failing')).filter(({ kind }) => kind === kinds.client)
  const told = clients.map(({ attributes, status }) => ({ type: attributes['error.type'], ...status }))
  expect(told).toEqual([
    { type: 'tool_error', code: 2 },
    { type: '-32042', code: 2, message: 'no [redacted]' },
    { type: 'denied', code: 2, message: expect.stringContaining('may not be called') },
  ])
  expect(clients[1]?.attributes).toMatchObject({ 'rpc.response.status_code': '-32042' })
  expect(JSON.stringify(await collector.received())).not.toMatch(/Kanarienvogel|Heliotrop/)
})

test('durations of calls and connections are measured in seconds, with what they were about', async () => {
  const exporter = new OTLPMetricExporter({ url: `${collector.url}/v1/metrics` })
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 600_000 })
  const meterProvider = new MeterProvider({ readers: [reader] })
  const bridge = await open({ telemetry: openTelemetry({ meterProvider }) })
  const startedAt = performance.now()
  await Promise.all([bridge.call('traced__weather'), bridge.call('traced__weather')])
  const tookSeconds = (performance.now() - startedAt) / 1_000
  await bridge.call('traced__fail')
  bridge.toolsFor('generic')
  await bridge.close()
  await meterProvider.shutdown()
  const { metrics } = await collector.received()
  const connection = { 'mcp.protocol.version': '2025-11-25', 'network.transport': 'pipe' }
  const call = { ...connection, 'mcp.method.name': 'tools/call', 'gen_ai.operation.name': 'execute_tool' }
  const operations = pointsOf(metrics, 'mcp.client.operation.duration')
  expect(operations).toEqual([
    { count: 2, sum: expect.any(Number), attributes: { ...call, 'gen_ai.tool.name': 'weather' } },
    {
      count: 1,
      sum: expect.any(Number),
      attributes: { ...call, 'gen_ai.tool.name': 'fail', 'error.type': 'tool_error' },
    },
  ])
  // Of two calls at once.
  expect(operations[0]?.sum).toBeLessThanOrEqual(2 * tookSeconds)
  expect(pointsOf(metrics, 'mcp.client.session.duration')).toEqual([
    { count: 1, sum: expect.any(Number), attributes: connection },
  ])
  expect(metrics.map(({ name, unit }) => `${name} ${unit}`)).toEqual([
    'mcp.client.operation.duration s',
    'mcp.client.session.duration s',
    'toolbridge.tools.tokens {token}',
  ])
  expect(pointsOf(metrics, 'toolbridge.tools.tokens')).toMatchObject([
    { value: expect.any(Number), attributes: { 'toolbridge.profile': 'generic' } },
  ])
})

test('a server over a network is told by host and port, and never by what else its address holds', async () => {
  await using server = await startSseFixture()
  const { hostname, port } = new URL(server.url)
  const source = { file: 'test', pointer: '/far' }
  const far = { name: 'far', transport: 'sse', headers: {}, enabled: true, required: false, source } as const
  await using bridge = await open({ servers: [{ ...far, url: `${server.url}?key=${canary('query')}` }] })
  await asAgent('far away', () => bridge.call('far__greet_me'))
  const client = (await spansOf('far away')).find(({ kind }) => kind === kinds.client)
  expect(client?.attributes).toMatchObject({
    'server.address': hostname,
    'server.port': Number(port),
    'network.transport': 'tcp',
    'network.protocol.name': 'http',
  })
  expect(JSON.stringify(client)).not.toContain('Kanarienvogel')
})

test('resources and prompts have spans of their own, named by what is not endless', async () => {
  await using bridge = await open({ servers: [plainServer('plain')] })
  await asAgent('reading', async () => {
    await bridge.resources.read('plain', 'memo://a')
    await bridge.prompts.get('plain', 'review')
  })
  const spans = await spansOf('reading')
  const agent = spans.find(({ name }) => name === 'reading')
  expect(spans.filter(({ kind }) => kind === kinds.client)).toMatchObject([
    {
      name: 'resources/read',
      parentSpanId: agent?.spanId,
      attributes: { 'mcp.method.name': 'resources/read', 'mcp.resource.uri': 'memo://a' },
    },
    {
      name: 'prompts/get review',
      parentSpanId: agent?.spanId,
      attributes: { 'mcp.method.name': 'prompts/get', 'gen_ai.prompt.name': 'review' },
    },
  ])
})

test('where no span is active, a call continues the trace that it was given', async () => {
  await using bridge = await open()
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const told = toText(await bridge.call('traced__weather', {}, { trace: { traceparent } }))
  expect(told).toMatch(
    /"traceparent":"00-0af7651916cd43dd8448eb211c80319c-(?!b7ad6b7169203331)[\da-f]{16}-01"/,
  )
})

test('without telemetry the server is told what the caller says, and nothing else', async () => {
  await using bridge = await openBridge(permissive([traced()]))
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const given = { traceparent, tracestate: 'a=1', callId: 'ours' }
  const told = toText(await bridge.call('traced__weather', {}, { trace: given }))
  expect(JSON.parse(told)).toEqual({ traceparent, tracestate: 'a=1' })
  expect(JSON.parse(toText(await bridge.call('traced__weather')))).toEqual({})
})

test('baggage stays with the host unless it says otherwise', async () => {
  const baggage = propagation.createBaggage({ tenant: { value: 'acme' } })
  const inside = propagation.setBaggage(context.active(), baggage)
  const metaOf = async (bridge: Bridge): Promise<unknown> =>
    JSON.parse(toText(await context.with(inside, () => bridge.call('traced__weather'))))
  await using silent = await open()
  expect(await metaOf(silent)).toEqual({ traceparent: expect.any(String) })
  await using telling = await open({ telemetry: openTelemetry({ sendsBaggage: true }) })
  expect(await metaOf(telling)).toEqual({ traceparent: expect.any(String), baggage: 'tenant=acme' })
})
