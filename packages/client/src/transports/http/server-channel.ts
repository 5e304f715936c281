import { McpError, McpErrorCode, type RequestId } from '../../jsonrpc/jsonrpc.ts'
import { delayUnref, delay } from '../../timing/delay.ts'
import { newCursor, type StreamCursor } from '../messages/event-stream-parser.ts'
import type { Abortable } from '../../http/http-exchange.ts'
import type { HttpContext } from './http-context.ts'
import { followStream, retryDelayMs, type StreamResult } from './follow-stream.ts'
import { readStream } from './read-stream.ts'

/** Failures in a row after which a stream is given up. */
const MAX_FAILURES = 5

/** How listening ended: by itself or by the signal, or because the stream stopped working. */
type ListeningEnd = 'over' | 'given up'

/** The channel on which a server speaks on its own, where it has one. */
export class ServerChannel {
  readonly #link: HttpContext
  #listening: AbortController | undefined
  #isDeaf = false

  constructor(link: HttpContext) {
    this.#link = link
  }

  /** Listens from now on, in the session that there is now; the server is being asked when this returns. */
  listen(): void {
    this.stop()
    const listening = new AbortController()
    this.#isDeaf = false
    this.#listening = listening
    void this.#follow(listening)
  }

  /** The server took a request: if it was not there before, it may have its stream again too. */
  reconnect(): void {
    if (this.#isDeaf && !this.#link.lifetime.signal.aborted) this.listen()
  }

  stop(reason?: McpError): void {
    this.#listening?.abort(reason)
  }

  async #follow(listening: AbortController): Promise<void> {
    const end = await listenToServer(this.#link, listening.signal)
    if (this.#listening !== listening) return
    this.#isDeaf = end === 'given up'
    this.#listening = undefined
  }
}

/**
 * Listens to what the server says on its own, if it offers that: its stream is taken up again whenever it breaks.
 * Failures are told as warnings, since the connection goes on without.
 */
async function listenToServer(link: HttpContext, signal: AbortSignal): Promise<ListeningEnd> {
  const { sessionId } = link.endpoint
  const cursor = newCursor()
  let hasWorked = false
  const attempt = async (): Promise<StreamResult> => {
    const abort = new AbortController()
    const outcome = await readStream(link, cursor, {
      onStart: (exchange) => signal.addEventListener('abort', () => exchange.abort(signal.reason), abort),
    })
    abort.abort()
    hasWorked ||= outcome.kind === 'ended'
    return outcome
  }
  const outcome = await followStream({
    cursor,
    wait: delayUnref,
    attempt,
    isWanted: () => true,
    maxFailures: MAX_FAILURES,
    signal,
    onFailure: (reason) => link.warn(streamError('failed and is tried again', reason)),
  })
  if (signal.aborted || outcome.kind === 'ended' || outcome.status === 405) return 'over'
  // A server that has no such stream may answer 404 as well; one that had it does not know the session any more.
  if (outcome.status === 404 && hasWorked && sessionId !== undefined) {
    await link.renewSession(sessionId).catch(() => undefined)
    return 'over'
  }
  link.warn(streamError('failed and was given up', outcome.reason))
  return outcome.kind === 'failed' ? 'given up' : 'over'
}

/** Waits for an answer whose stream broke, on streams that go on where that one ended. `onStart` hears of each. */
export async function resumeAnswer(
  link: HttpContext,
  cursor: StreamCursor,
  callId: RequestId,
  onStart: (exchange: Abortable) => void,
): Promise<void> {
  const { signal } = link.lifetime
  await delay(retryDelayMs(cursor, 0), signal)
  await followStream({
    cursor,
    wait: delay,
    attempt: () => readStream(link, cursor, { callId, onStart }),
    isWanted: () => link.isPending(callId),
    maxFailures: MAX_FAILURES,
    signal,
  })
}

function streamError(what: string, reason: unknown): McpError {
  const why = reason instanceof Error ? reason.message : String(reason)
  const options = { kind: 'unreachable', code: McpErrorCode.ConnectionClosed, cause: reason } as const
  return new McpError(`the stream of what the server says on its own ${what}: ${why}`, options)
}
