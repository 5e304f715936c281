/** A server that continues the trace of each call with a span of its own, exported to COLLECTOR, and answers its `_meta`. */
import { createInterface } from 'node:readline'
import { context, propagation, SpanKind, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'

const { COLLECTOR, TOKEN } = process.env
const exporter = new OTLPTraceExporter({ url: `${COLLECTOR}/v1/traces` })
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
provider.register()
const tracer = trace.getTracer('traced-server')

const tools = ['weather', 'fail', 'refuse'].map((name) => ({ name, inputSchema: { type: 'object' } }))
const results = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'traced', version: '1' },
  },
  ping: {},
  'tools/list': { tools },
}

createInterface({ input: process.stdin }).on('line', (line) => void answer(JSON.parse(line)))

async function answer({ id, method, params }) {
  if (id === undefined) return
  send(method === 'tools/call' ? { id, ...(await call(params)) } : { id, result: results[method] })
}

async function call({ name, _meta }) {
  const parent = propagation.extract(context.active(), _meta ?? {})
  tracer.startSpan(`tools/call ${name}`, { kind: SpanKind.SERVER }, parent).end()
  await provider.forceFlush()
  if (name === 'refuse') return { error: { code: -32_042, message: `no ${TOKEN}` } }
  return {
    result: { isError: name === 'fail', content: [{ type: 'text', text: JSON.stringify(_meta ?? {}) }] },
  }
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}
