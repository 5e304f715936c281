import { McpError, McpErrorCode, type RequestId } from '../../jsonrpc/jsonrpc.ts'
import { delay, delayUnref } from '../../timing/delay.ts'
import { newCursor, type StreamCursor } from '../messages/event-stream-parser.ts'
import type { Abortable } from '../../http/http-endpoint.ts'
import type { HttpContext } from './http-context.ts'
import { followStream, retryDelayMs, type StreamResult } from './follow-stream.ts'
import { readStream } from './read-stream.ts'

/** Consecutive failures after which a stream is abandoned. */
const MAX_FAILURES = 5

/** Consecutive streams without a new event after which an answer is no longer waited for. */
export const MAX_STALLS = 100

/** How listening ended: regularly or by the signal, or because the stream kept failing. */
type ListeningEnd = 'over' | 'failed'

/** The GET stream on which a server sends its own messages, if it has one. */
export class ServerChannel {
  readonly #context: HttpContext
  #listening: AbortController | undefined
  #isAbandoned = false

  constructor(context: HttpContext) {
    this.#context = context
  }

  /** Starts listening in the current session. The stream was requested when this returns. */
  listen(): void {
    this.stop()
    const listening = new AbortController()
    this.#isAbandoned = false
    this.#listening = listening
    void this.#follow(listening)
  }

  /** Listens again if the stream was abandoned. Called when the server accepted a request, so that it is reachable. */
  reconnect(): void {
    if (this.#isAbandoned && !this.#context.lifetime.signal.aborted) this.listen()
  }

  stop(reason?: McpError): void {
    this.#listening?.abort(reason)
  }

  async #follow(listening: AbortController): Promise<void> {
    const end = await listenToServer(this.#context, listening.signal)
    if (this.#listening !== listening) return
    this.#isAbandoned = end === 'failed'
    this.#listening = undefined
  }
}

/** Reads the server's stream and resumes it when it breaks. Failures are warnings: the connection works without it. */
async function listenToServer(context: HttpContext, signal: AbortSignal): Promise<ListeningEnd> {
  const { sessionId } = context.endpoint
  const cursor = newCursor()
  let hasWorked = false
  const attempt = async (): Promise<StreamResult> => {
    const abort = new AbortController()
    const result = await readStream(context, cursor, {
      onStart: (exchange) => signal.addEventListener('abort', () => exchange.abort(signal.reason), abort),
    })
    abort.abort()
    hasWorked ||= !('status' in result) || result.status === 200
    return result
  }
  const result = await followStream({
    cursor,
    wait: delayUnref,
    attempt,
    isWanted: () => true,
    maxFailures: MAX_FAILURES,
    signal,
    onFailure: (reason) => context.warn(streamError('failed and is retried', reason)),
  })
  if (signal.aborted || !('status' in result) || result.status === 405) return 'over'
  // A server without the stream may answer 404 as well; a server whose stream has worked lost the session.
  if (result.status === 404 && hasWorked && sessionId !== undefined) {
    await context.renewSession(sessionId).catch(() => undefined)
    return 'over'
  }
  context.warn(streamError('failed and was abandoned', result.reason))
  return result.kind === 'failed' ? 'failed' : 'over'
}

/**
 * Waits for an answer whose stream broke, on streams that resume it. `onStart` receives each of them. Resolves with the
 * result of the last one.
 */
export async function resumeAnswer(
  context: HttpContext,
  cursor: StreamCursor,
  callId: RequestId,
  onStart: (exchange: Abortable) => void,
): Promise<StreamResult> {
  const { signal } = context.lifetime
  await delay(retryDelayMs(cursor, 0), signal)
  return followStream({
    cursor,
    wait: delay,
    attempt: () => readStream(context, cursor, { callId, onStart }),
    isWanted: () => context.isPending(callId),
    maxFailures: MAX_FAILURES,
    maxStalls: MAX_STALLS,
    signal,
  })
}

function streamError(what: string, reason: unknown): McpError {
  const why = reason instanceof Error ? reason.message : String(reason)
  const options = { kind: 'unreachable', code: McpErrorCode.ConnectionClosed, cause: reason } as const
  return new McpError(`the server's notification stream ${what}: ${why}`, options)
}
