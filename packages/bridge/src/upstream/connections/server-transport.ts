import {
  type McpAuthorization,
  McpError,
  McpErrorCode,
  type McpTransport,
  McpUnauthorizedError,
  type WebSocketConstructor,
} from '@toolbridge/client'
import type { UrlGuardOptions } from '@toolbridge/client/auth'
import { OrderedHttpTransport, printable } from '@toolbridge/client/internal'
import { StdioTransport } from '@toolbridge/client/stdio'
import type { Policy } from '../../config/spec/policy.ts'
import { remoteTransports } from '../../config/spec/remote-transports.ts'
import type { HttpServerSpec, ResolvedSpec, StdioServerSpec } from '../../config/spec/server-spec.ts'
import type { Redactor } from '../../journal/redaction/redactor.ts'

/** What a transport depends on besides its definition. */
export interface ServerTransportOptions {
  readonly signal: AbortSignal
  readonly authorization: McpAuthorization | undefined
  /** Restricts the URLs that may be opened. Default: no restriction. */
  readonly guard: UrlGuardOptions | undefined
  readonly webSocket: WebSocketConstructor | undefined
  readonly policy: Policy
}

/** Creates the transport of a definition. Starts nothing, but may authorize. */
export async function createTransport(
  spec: ResolvedSpec,
  options: ServerTransportOptions,
  redactor: Redactor,
): Promise<McpTransport> {
  return spec.transport === 'stdio'
    ? stdioTransport(spec, options.policy, redactor)
    : remoteTransport(spec, options)
}

function stdioTransport(
  { name, command, args, env, cwd, inheritEnv }: StdioServerSpec,
  { stop, stderr, 'stdout.badLine': badLines }: Policy,
  { redactLine }: Redactor,
): McpTransport {
  return new StdioTransport({
    name,
    command,
    args,
    env,
    ...(cwd === undefined ? {} : { cwd }),
    ...(inheritEnv === 'none' ? { inheritEnv } : {}),
    stop,
    badLines,
    stderr:
      stderr === 'inherit'
        ? (line) => process.stderr.write(`${printable(`${name}: ${redactLine(line)}`)}\n`)
        : stderr,
  })
}

/** SSE and WebSocket are loaded on first use. */
async function remoteTransport(
  { transport, url, headers }: HttpServerSpec,
  { authorization, webSocket, guard, signal }: ServerTransportOptions,
): Promise<McpTransport> {
  if (remoteTransports[transport].hasOAuth && (await authorization?.authorize({ signal })) === 'redirect')
    throw McpUnauthorizedError.signInNeeded(authorization?.authorizationUrl)
  const config = {
    url,
    headers,
    ...(authorization === undefined ? {} : { authorization }),
    ...(guard === undefined ? {} : { guard }),
  }
  switch (transport) {
    case 'http':
      return new OrderedHttpTransport(config)
    case 'sse': {
      const { SseTransport } = await import('@toolbridge/client/sse')
      return new SseTransport(config)
    }
    case 'ws': {
      if (guard !== undefined) throw unguardable()
      const { WsTransport } = await import('@toolbridge/client/websocket')
      return new WsTransport({ url, headers, ...(webSocket === undefined ? {} : { WebSocket: webSocket }) })
    }
  }
}

/** The platform's WebSocket resolves the host itself, so the URL guard cannot check the address. */
function unguardable(): McpError {
  const message =
    'WebSockets are not opened where addresses are restricted, because their address cannot be checked; use an https URL'
  return new McpError(message, { kind: 'unreachable', code: McpErrorCode.ConnectionClosed })
}
