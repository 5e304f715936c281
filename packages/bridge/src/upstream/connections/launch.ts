import {
  type EraCache,
  type Implementation,
  McpClient,
  type McpClientOptions,
  McpError,
  McpErrorCode,
  type McpTransport,
} from '@toolbridge/client'
import { StdioTransport } from '@toolbridge/client/stdio'
import type { Policy } from '../../config/spec/policy.ts'
import type { ResolvedSpec, ServerSpec } from '../../config/spec/server-spec.ts'
import { createRedactor, type Redactor } from '../../journal/redaction/redactor.ts'
import { ServerQuestions, type ClientFeatures } from './server-questions.ts'
import { Connection } from './connection.ts'
import { CallsInFlight } from './calls-in-flight.ts'
import { logServerMessage } from './log-server-message.ts'
import type { ObservedConnections } from './observed-connections.ts'
import type { Processes } from './processes.ts'
import { type BridgeMessage, traceMessages } from './trace-messages.ts'
import type { Claim } from './claim.ts'
import type { ConnectionScope } from './connection-scope.ts'
import { createTransport, type ServerTransportOptions } from './server-transport.ts'

export interface LaunchOptions extends ServerTransportOptions {
  readonly scope: ConnectionScope
  /** Time for the whole start, of which `signal` ends the rest. */
  readonly startTimeoutMs: number
  readonly clientInfo: Implementation | undefined
  /** Creates the transport instead of the definition. */
  readonly transportOf: ((spec: ServerSpec) => McpTransport | undefined) | undefined
  readonly processes: Processes
  /** Where the connection can be observed. */
  readonly observed: ObservedConnections
  /** Called with every message, without secrets. */
  readonly onMessage: ((message: BridgeMessage) => void) | undefined
  readonly features: ClientFeatures
  /** The server's era as found by its other connections. */
  readonly eras: EraCache
  /** Whether the server may ask at any time; then one caller at a time uses the connection. */
  readonly mayAskAnytime: boolean
  /** Which caller that is. */
  readonly claim: Claim
  /** Keeps the connection open until the returned function is called. */
  readonly hold: () => () => void
  readonly onWarning: (warning: unknown) => void
  /** Called once if the connection is lost. */
  readonly onLost: (reason: unknown) => void
  /** Called when the connection is gone, even if it never opened. */
  readonly onClosed: () => void
}

/**
 * Connects to a server for a scope. Leaves nothing behind when it rejects. Errors of this function and of the connection
 * contain no value that the definition passes to the server.
 */
export async function launch(spec: ResolvedSpec, options: LaunchOptions): Promise<Connection> {
  const redactor = createRedactor(spec, options.features.redaction)
  const authorization = options.authorization && redactor.watched(options.authorization)
  const { onMessage, features, observed } = options
  let forget = (): void => {}
  const onClosed = (): void => {
    forget()
    options.onClosed()
  }
  try {
    const transport =
      options.transportOf?.(spec) ?? (await createTransport(spec, { ...options, authorization }, redactor))
    if (onMessage !== undefined) traceMessages(spec, transport, features.redaction, onMessage)
    forget = observed.add({ spec, transport, redaction: features.redaction })
    return await connect(spec, transport, redactor, { ...options, onClosed })
  } catch (error) {
    onClosed()
    throw redactor.redact(error)
  }
}

async function connect(
  spec: ResolvedSpec,
  transport: McpTransport,
  { redact, redactText, redactListed }: Redactor,
  options: LaunchOptions,
): Promise<Connection> {
  const { clientInfo, scope, claim, processes, signal, policy, startTimeoutMs: timeoutMs } = options
  const calls = new CallsInFlight()
  const roots = options.features.roots?.of(spec, scope.principal)
  const questions = new ServerQuestions({
    ...options,
    server: spec.name,
    roots,
    calls,
    elicitation: policy.elicitation,
  })
  const client = new McpClient(transport, {
    ...(clientInfo === undefined ? {} : { clientInfo }),
    ...questions.clientOptions,
    ...revisionOptions(policy),
    eraCache: options.eras,
    eraKey: spec.name,
    onNotification: (method, params) => {
      if (method === 'notifications/message')
        logServerMessage(spec.name, params, redactText, options.features.emit)
      if (method === 'notifications/elicitation/complete') questions.completed(params)
    },
    onWarning: (warning) => options.onWarning(redact(warning)),
    onClose: (reason) => options.onLost(redact(reason)),
  })
  const process = transport instanceof StdioTransport ? processes.add(spec.name, scope, transport) : undefined
  try {
    const description = await client.connect({ signal, timeoutMs })
    questions.opened(description)
    if (process !== undefined) process.state = 'ready'
    const onClosing = (): void => {
      if (process !== undefined) process.state = 'stopping'
    }
    // A lost connection reports itself.
    const stopTelling = roots?.onChange(() => void client.rootsChanged().catch(() => {}))
    const onClosed = (): void => {
      stopTelling?.()
      if (process !== undefined) processes.delete(process)
      options.onClosed()
    }
    const pid = process?.transport.pid
    const stderr = (): readonly string[] => stderrFrom(transport)
    const parts = { client, description, calls, questions, claim, pid, stderr, redact, redactListed }
    return new Connection({ ...parts, onClosing, onClosed })
  } catch (error) {
    if (process !== undefined) processes.delete(process)
    throw withStderr(error, transport)
  }
}

/** The stderr of a server that is too slow often says why. */
function withStderr(error: unknown, transport: McpTransport): unknown {
  if (!(error instanceof McpError) || error.data !== undefined || !(transport instanceof StdioTransport))
    return error
  const { kind, code, message } = error
  return new McpError(message, { kind, code, data: { stderr: stderrFrom(transport) }, cause: error })
}

function stderrFrom(transport: McpTransport): readonly string[] {
  return transport instanceof StdioTransport ? transport.stderrTail : []
}

/** Returns the last lines of stderr that an error carries. */
export function stderrOf(error: unknown): readonly string[] {
  const data: unknown = error instanceof McpError ? error.data : undefined
  if (typeof data !== 'object' || data === null || !('stderr' in data) || !Array.isArray(data.stderr))
    return []
  return data.stderr.map(String)
}

/** The options of a client for the revisions that a policy admits. */
export function revisionOptions({
  'protocol.version': version,
  'protocol.accept': accept,
}: Policy): Partial<McpClientOptions> {
  return {
    ...(version === 'auto' ? {} : { version }),
    ...(accept === 'any' ? { acceptsAnyVersion: true } : {}),
  }
}

/** Returns the error of calls to a server or bridge that is closing. */
export function closedError(message: string): McpError {
  return new McpError(message, { kind: 'closed', code: McpErrorCode.ConnectionClosed })
}
