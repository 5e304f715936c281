import {
  type McpConnectEvent,
  McpError,
  type McpErrorPhase,
  type McpHooks,
  type TraceContext,
} from '@toolbridge/client'
import { remoteTransports } from '../../config/spec/remote-transports.ts'
import type { ServerSpec } from '../../config/spec/server-spec.ts'
import type { BridgeEvent, EventFailure, Journal } from '../events/events.ts'
import { messageWithoutCode } from '../events/failure-of.ts'

/**
 * Creates a journal that calls the hooks of the client: for opened, failed and lost connections, for answered and failed
 * calls, and for other failed requests. A denied call is not an error of a server. Errors of hooks are ignored.
 */
export function hooksJournal(hooks: McpHooks): Journal {
  return (event) => {
    if (event.type === 'call.finished') return callFinished(hooks, event)
    if (event.type === 'request.finished') return failed(hooks, 'request', event)
    if (event.type === 'connection.opened') return hooks.onMcpConnect?.(connectEvent(event))
    // A cancelled connection did not fail.
    if (event.type === 'connection.failed' && event.failure.kind !== 'cancelled')
      return failed(hooks, 'connect', event)
    if (event.type === 'connection.closed') return failed(hooks, 'listen', event)
  }
}

type FailureEvent = Event<'request.finished' | 'connection.failed' | 'connection.closed'>

function failed(hooks: McpHooks, phase: McpErrorPhase, event: FailureEvent): void {
  if (event.failure === undefined) return
  return hooks.onMcpError?.({ server: event.server, phase, error: errorOf(event) })
}

type Event<T extends BridgeEvent['type']> = BridgeEvent & { readonly type: T }

function connectEvent(event: Event<'connection.opened'>): McpConnectEvent {
  const { server, transport, serverName, serverVersion, toolCount } = event
  return { server, transport: protocolOf(transport), serverName, serverVersion, toolCount }
}

function protocolOf(transport: ServerSpec['transport']): McpConnectEvent['transport'] {
  return transport === 'stdio' ? 'stdio' : remoteTransports[transport].protocol
}

function callFinished(hooks: McpHooks, event: Event<'call.finished'>): void {
  const { server, rawName: tool, latencyMs, outcome } = event
  const trace = traceOf(event)
  switch (outcome) {
    case 'ok':
    case 'tool_error':
      return hooks.onMcpToolCall?.({ server, tool, latencyMs, isError: outcome === 'tool_error', trace })
    case 'failed':
    case 'cancelled':
      return hooks.onMcpError?.({ server, phase: 'request', error: errorOf(event), trace })
    case 'denied':
  }
}

function traceOf({ callId, origin, trace }: Event<'call.finished'>): TraceContext {
  return { sessionId: origin.conversation, ...trace, callId }
}

/** Rebuilds the error from its journaled, redacted parts. */
function errorOf({ error = 'it failed', failure }: { error?: string; failure?: EventFailure }): Error {
  const isMcp = failure !== undefined && 'code' in failure && typeof failure.code === 'number'
  const message = messageWithoutCode(error, failure)
  return isMcp ? new McpError(message, failure) : new Error(message)
}
