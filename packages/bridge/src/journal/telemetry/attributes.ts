import type { Attributes } from '@opentelemetry/api'
import { remoteTransports } from '../../config/spec/remote-transports.ts'
import type { ServerSpec } from '../../config/spec/server-spec.ts'
import type { BridgeEvent, EventFailure, ObservedMethod } from '../events/events.ts'

/** The attributes of spans and metrics of a tool call. */
export function toolAttributes(rawName: string): Attributes {
  return { 'mcp.method.name': 'tools/call', ...executionAttributes(rawName) }
}

/** The attributes of a tool that runs, be it of a server or of the bridge. */
export function executionAttributes(tool: string): Attributes {
  return { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': tool }
}

/** The attributes of a run of code that has ended. */
export function codeAttributes(event: BridgeEvent & { readonly type: 'code.finished' }): Attributes {
  const { outcome, calls, failure = outcome === 'cancelled' ? outcome : '_OTHER', limit } = event
  return {
    'toolbridge.code.calls': calls,
    ...(outcome === 'ok' ? {} : { 'error.type': failure }),
    ...(limit === undefined ? {} : { 'toolbridge.code.limit': limit }),
  }
}

/** The attributes of spans and metrics of another request. URIs of resources have too high a cardinality for metrics. */
export function requestAttributes({ method, item }: RequestedItem): Attributes {
  return { 'mcp.method.name': method, ...(method === 'prompts/get' ? { 'gen_ai.prompt.name': item } : {}) }
}

/** Additional attributes of the span of such a request. */
export function itemAttributes({ method, item }: RequestedItem): Attributes {
  return method === 'resources/read' ? { 'mcp.resource.uri': item } : {}
}

interface RequestedItem {
  readonly method: ObservedMethod
  readonly item: string
}

/** The attributes of a connection. Without the session id, which is a secret. */
export function connectionAttributes(
  event: BridgeEvent & { readonly type: 'connection.opened' },
): Attributes {
  const { transport, protocolVersion, address, port } = event
  return {
    'mcp.protocol.version': protocolVersion,
    ...networkAttributes(transport),
    ...(address === undefined ? {} : { 'server.address': address }),
    ...(port === undefined ? {} : { 'server.port': port }),
  }
}

function networkAttributes(transport: ServerSpec['transport']): Attributes {
  if (transport === 'stdio') return { 'network.transport': 'pipe' }
  return { 'network.transport': 'tcp', 'network.protocol.name': remoteTransports[transport].protocol }
}

/** The error attributes, with low cardinality; undefined without an error. */
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
