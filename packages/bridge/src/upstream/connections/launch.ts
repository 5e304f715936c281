import {
  type EraCache,
  type Implementation,
  type McpAuthorization,
  McpClient,
  McpError,
  McpErrorCode,
  type McpTransport,
  McpUnauthorizedError,
  type WebSocketConstructor,
} from '@toolbridge/client'
import type { UrlGuardOptions } from '@toolbridge/client/auth'
import { OrderedHttpTransport } from '@toolbridge/client/internal'
import { StdioTransport } from '@toolbridge/client/stdio'
import type {
  HttpServerSpec,
  ResolvedSpec,
  ServerSpec,
  StdioServerSpec,
} from '../../config/spec/server-spec.ts'
import { createRedactor, type Redact } from '../../journal/redaction/redactor.ts'
import { ServerQuestions, type ClientFeatures } from './server-questions.ts'
import { Connection } from './connection.ts'
import { CallsInFlight } from './calls-in-flight.ts'
import { logServerMessage } from './log-server-message.ts'
import type { Processes } from './processes.ts'
import type { ConnectionScope } from './connection-scope.ts'

export interface LaunchOptions {
  readonly scope: ConnectionScope
  readonly signal: AbortSignal
  readonly clientInfo: Implementation | undefined
  readonly authorization: McpAuthorization | undefined
  /** Which addresses may be opened; any where the definition is one of the person at this machine. */
  readonly guard: UrlGuardOptions | undefined
  readonly webSocket: WebSocketConstructor | undefined
  /** Makes the link in place of what the definition says. */
  readonly transportOf: ((spec: ServerSpec) => McpTransport | undefined) | undefined
  readonly processes: Processes
  readonly features: ClientFeatures
  /** Which era the server speaks, as far as its other connections found out. */
  readonly eras: EraCache
  /** The server may ask at any time: then only the scope's own origin may use the connection. */
  readonly mayAskAnytime: boolean
  /** Keeps the connection open until what it returns is called. */
  readonly hold: () => () => void
  readonly onWarning: (warning: unknown) => void
  /** Called once, when the connection ends without having been closed. */
  readonly onLost: (reason: unknown) => void
  /** Called when nothing of it is left, whether it ever opened or not. */
  readonly onClosed: () => void
}

/**
 * Starts or reaches a server on behalf of a scope. A rejected launch leaves nothing behind. No error that leaves it,
 * or its connection, quotes a value that the definition hands to the server.
 */
export async function launch(spec: ResolvedSpec, options: LaunchOptions): Promise<Connection> {
  const { redact, watched } = createRedactor(spec, options.features.redaction)
  const authorization = options.authorization && watched(options.authorization)
  try {
    return await connect(spec, await createTransport(spec, { ...options, authorization }), redact, options)
  } catch (error) {
    options.onClosed()
    throw redact(error)
  }
}

async function connect(
  spec: ResolvedSpec,
  transport: McpTransport,
  redact: Redact,
  options: LaunchOptions,
): Promise<Connection> {
  const { clientInfo, scope, processes, signal } = options
  const calls = new CallsInFlight()
  const questions = new ServerQuestions({ ...options, server: spec.name, calls })
  const client = new McpClient(transport, {
    ...(clientInfo === undefined ? {} : { clientInfo }),
    ...questions.clientOptions,
    eraCache: options.eras,
    eraKey: spec.name,
    onNotification: (method, params) => {
      if (method === 'notifications/message')
        logServerMessage(spec.name, params, redact, options.features.emit)
      if (method === 'notifications/elicitation/complete') questions.completed(params)
    },
    onWarning: (warning) => options.onWarning(redact(warning)),
    onClose: (reason) => options.onLost(redact(reason)),
  })
  const process = transport instanceof StdioTransport ? processes.add(spec.name, scope, transport) : undefined
  try {
    const description = await client.connect({ signal })
    questions.opened(description)
    if (process !== undefined) process.state = 'ready'
    const onClosing = (): void => {
      if (process !== undefined) process.state = 'stopping'
    }
    // A server that is gone has nobody left to tell.
    const stopTelling = options.features.roots?.onChange(() => void client.rootsChanged().catch(() => {}))
    const onClosed = (): void => {
      stopTelling?.()
      if (process !== undefined) processes.delete(process)
      options.onClosed()
    }
    const pid = process?.transport.pid
    const stderr = (): readonly string[] => stderrFrom(transport)
    return new Connection({ client, description, calls, questions, pid, stderr, redact, onClosing, onClosed })
  } catch (error) {
    if (process !== undefined) processes.delete(process)
    throw withStderr(error, transport)
  }
}

/** A server that is too slow has often said why. */
function withStderr(error: unknown, transport: McpTransport): unknown {
  if (!(error instanceof McpError) || error.data !== undefined || !(transport instanceof StdioTransport))
    return error
  const { kind, code, message } = error
  return new McpError(message, { kind, code, data: { stderr: stderrFrom(transport) }, cause: error })
}

function stderrFrom(transport: McpTransport): readonly string[] {
  return transport instanceof StdioTransport ? transport.stderrTail : []
}

/** The last lines of stderr that an error of the link carries, if any. */
export function stderrOf(error: unknown): readonly string[] {
  const data: unknown = error instanceof McpError ? error.data : undefined
  if (typeof data !== 'object' || data === null || !('stderr' in data) || !Array.isArray(data.stderr))
    return []
  return data.stderr.map(String)
}

async function createTransport(spec: ResolvedSpec, options: LaunchOptions): Promise<McpTransport> {
  const given = options.transportOf?.(spec)
  if (given !== undefined) return given
  return spec.transport === 'stdio' ? stdioTransport(spec) : remoteTransport(spec, options)
}

function stdioTransport({ command, args, env, cwd, inheritEnv, policy }: StdioServerSpec): McpTransport {
  return new StdioTransport({
    command,
    args,
    env,
    ...(cwd === undefined ? {} : { cwd }),
    ...(inheritEnv === 'none' ? { inheritEnv } : {}),
    ...(policy?.stop === undefined ? {} : { stop: policy.stop }),
  })
}

/** The rarer transports are loaded when a definition asks for them. */
async function remoteTransport(
  { transport, url, headers }: HttpServerSpec,
  { authorization, webSocket, guard, signal }: LaunchOptions,
): Promise<McpTransport> {
  if (transport !== 'ws' && (await authorization?.authorize({ signal })) === 'redirect')
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

/** A WebSocket connects by itself, so nothing can be said about where it leads. */
function unguardable(): McpError {
  const message =
    'WebSockets are not opened for definitions of others, since nothing can check where they lead; reach the server over https'
  return new McpError(message, { kind: 'unreachable', code: McpErrorCode.ConnectionClosed })
}

/** What a call meets on a server or a bridge that is going away. */
export function closedError(message: string): McpError {
  return new McpError(message, { kind: 'closed', code: McpErrorCode.ConnectionClosed })
}
