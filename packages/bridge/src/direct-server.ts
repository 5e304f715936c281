import type {
  CallToolResult,
  McpClient,
  Progress,
  RequestOptions,
  ServerDescription,
  Tool,
} from '@toolbridge/client'
import type { ServerSpec } from './config/spec/server-spec.ts'
import type { Answerer } from './elicitation/question.ts'
import type { Origin } from './origin.ts'
import type { Upstream } from './upstream/upstream.ts'

/** Options of requests to a `DirectServer`. */
export interface DirectRequestOptions {
  /** Channel for the questions of this request. */
  readonly answerer: Answerer
  /** Aborting cancels the request, which has no timeout of its own. */
  readonly signal: AbortSignal
  /** Called with each progress notification of the server. */
  readonly onProgress: (progress: Progress) => void
}

/**
 * A running server with its own names, for a caller that applies permission rules and timeouts and processes results
 * itself. Its requests are not in the journal.
 */
export interface DirectServer {
  /** The definition that runs. */
  readonly spec: ServerSpec
  /** The server's description of itself. Untrusted text. */
  readonly description: ServerDescription
  /** The tools that the server lists. Untrusted text. */
  readonly tools: readonly Tool[]
  /** Calls a tool by the server's own name for it. */
  callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: DirectRequestOptions,
  ): Promise<CallToolResult>
  /** Sends any other request and returns its result unchanged. */
  request(method: string, params: object, options: DirectRequestOptions): Promise<unknown>
}

/** The longest time of a timer. */
const noTimeoutMs = 2_147_483_647

/** Returns the server of an upstream that runs; its requests are made by this origin. */
export function directServer(upstream: Upstream | undefined, origin: Origin): DirectServer | undefined {
  if (upstream === undefined || !('running' in upstream.state)) return undefined
  const { running } = upstream.state
  if (running === undefined) return undefined
  const send = <T>(
    { answerer, signal, onProgress }: DirectRequestOptions,
    work: (client: McpClient, options: RequestOptions) => Promise<T>,
  ): Promise<T> =>
    upstream.use({ origin, answerer }, signal, (client, questions) =>
      work(client, { ...questions, signal, onProgress, timeoutMs: noTimeoutMs }),
    )
  return {
    spec: upstream.spec,
    description: running.connection.description,
    tools: upstream.tools,
    callTool: (name, args, options) => send(options, (client, sent) => client.callTool(name, args, sent)),
    request: (method, params, options) =>
      send(options, (client, sent) => client.request(method, params, sent)),
  }
}
