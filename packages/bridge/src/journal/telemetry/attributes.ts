import type { Attributes } from '@opentelemetry/api'
import type { BridgeEvent, EventFailure, ObservedMethod } from '../events/events.ts'

/** What every span and measure of a call of a tool says. */
export function toolAttributes(rawName: string): Attributes {
  return {
    'mcp.method.name': 'tools/call',
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': rawName,
  }
}

/** What every span and measure of another request says. Addresses of resources are too many for measures. */
export function requestAttributes({ method, item }: RequestedItem): Attributes {
  return { 'mcp.method.name': method, ...(method === 'prompts/get' ? { 'gen_ai.prompt.name': item } : {}) }
}

/** What only the span of such a request says. */
export function itemAttributes({ method, item }: RequestedItem): Attributes {
  return method === 'resources/read' ? { 'mcp.resource.uri': item } : {}
}

interface RequestedItem {
  readonly method: ObservedMethod
  readonly item: string
}

/** How a server is reached. Not by which session: whoever knows its id can take its place. */
export function connectionAttributes(
  event: BridgeEvent & { readonly type: 'connection.opened' },
): Attributes {
  const { transport, protocolVersion, address, port } = event
  return {
    'mcp.protocol.version': protocolVersion,
    ...networkAttributes[transport],
    ...(address === undefined ? {} : { 'server.address': address }),
    ...(port === undefined ? {} : { 'server.port': port }),
  }
}

const overHttp = { 'network.transport': 'tcp', 'network.protocol.name': 'http' }
const networkAttributes = {
  stdio: { 'network.transport': 'pipe' },
  http: overHttp,
  sse: overHttp,
  ws: { 'network.transport': 'tcp', 'network.protocol.name': 'websocket' },
}

/** What went wrong, in few different words; undefined if nothing did. */
export function errorAttributes(event: {
  readonly outcome?: string
  readonly failure?: EventFailure
}): Attributes | undefined {
  const { outcome, failure } = event
  if (outcome === 'tool_error') return { 'error.type': 'tool_error' }
  if (failure === undefined) return undefined
  if (!('code' in failure)) return { 'error.type': failure.kind === 'other' ? '_OTHER' : failure.kind }
  const code = String(failure.code)
  if (failure.kind === 'peer') return { 'error.type': code, 'rpc.response.status_code': code }
  return { 'error.type': typeof failure.code === 'number' ? failure.kind : failure.code }
}
