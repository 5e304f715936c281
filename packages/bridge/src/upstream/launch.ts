import {
  HttpTransport,
  type Implementation,
  McpClient,
  McpError,
  McpErrorCode,
  type McpTransport,
} from '@toolbridge/client'
import { SseTransport } from '@toolbridge/client/sse'
import { StdioTransport } from '@toolbridge/client/stdio'
import { WsTransport } from '@toolbridge/client/websocket'
import type { ResolvedSpec } from '../config/spec.ts'
import type { Answer, Origin } from '../elicitation/question.ts'
import type { AskableCall, Asker } from '../elicitation/router.ts'
import { createRedactor } from '../journal/redact.ts'
import { Connection } from './connection.ts'

type Elicitation = NonNullable<NonNullable<ConstructorParameters<typeof McpClient>[1]>['onElicitation']>

export interface LaunchOptions {
  readonly origin: Origin
  readonly signal: AbortSignal
  readonly clientInfo: Implementation | undefined
  readonly onQuestion: (
    request: Parameters<Elicitation>[0],
    asker: Asker,
    signal: AbortSignal,
  ) => Promise<Answer>
  readonly onNotification: (method: string) => void
  readonly onWarning: (warning: unknown) => void
  /** Called once, when the connection ends without having been closed. */
  readonly onLost: (reason: unknown) => void
}

/**
 * Starts or reaches a server on behalf of one origin. A rejected launch leaves nothing behind. No error that leaves it,
 * or its connection, quotes a value that the definition hands to the server.
 */
export async function launch(spec: ResolvedSpec, options: LaunchOptions): Promise<Connection> {
  const transport = createTransport(spec)
  const redact = createRedactor(spec)
  const calls = new Set<AskableCall>()
  const asker: Asker = { server: spec.name, origin: options.origin, calls }
  const client = new McpClient(transport, {
    ...(options.clientInfo === undefined ? {} : { clientInfo: options.clientInfo }),
    onElicitation: (request, { signal }) => options.onQuestion(request, asker, signal),
    onNotification: options.onNotification,
    onWarning: (warning) => options.onWarning(redact(warning)),
    onClose: (reason) => options.onLost(redact(reason)),
  })
  try {
    const description = await client.connect({ signal: options.signal })
    const pid = transport instanceof StdioTransport ? transport.pid : undefined
    return new Connection({ client, description, calls, pid, redact })
  } catch (error) {
    throw redact(withStderr(error, transport))
  }
}

/** A server that is too slow has often said why. */
function withStderr(error: unknown, transport: McpTransport): unknown {
  if (!(error instanceof McpError) || error.data !== undefined || !(transport instanceof StdioTransport))
    return error
  const { kind, code, message } = error
  return new McpError(message, { kind, code, data: { stderr: transport.stderrTail }, cause: error })
}

/** The last lines of stderr that an error of the link carries, if any. */
export function stderrOf(error: unknown): readonly string[] {
  const data: unknown = error instanceof McpError ? error.data : undefined
  if (typeof data !== 'object' || data === null || !('stderr' in data) || !Array.isArray(data.stderr))
    return []
  return data.stderr.map(String)
}

function createTransport(spec: ResolvedSpec): McpTransport {
  switch (spec.transport) {
    case 'stdio': {
      const { command, args, env, cwd } = spec
      return new StdioTransport({ command, args, env, ...(cwd === undefined ? {} : { cwd }) })
    }
    case 'http':
      return new HttpTransport({ url: spec.url, headers: spec.headers })
    case 'sse':
      return new SseTransport({ url: spec.url, headers: spec.headers })
    case 'ws':
      return new WsTransport({ url: spec.url, headers: spec.headers })
  }
}

/** What a call meets on a server or a bridge that is going away. */
export function closedError(message: string): McpError {
  return new McpError(message, { kind: 'closed', code: McpErrorCode.ConnectionClosed })
}
