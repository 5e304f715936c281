import { isRepeatable } from '../../http/is-repeatable.ts'
import { type JsonRpcRequest, McpError } from '../../jsonrpc/jsonrpc.ts'
import { connectionError } from '../../http/http-errors.ts'
import { delay } from '../../timing/delay.ts'
import type { HttpResponseHead } from '../../http/http-sender.ts'
import type { StreamCursor } from '../messages/event-stream-parser.ts'
import type { HttpContext } from './http-context.ts'
import type { Abortable, HttpRequest } from '../../http/http-endpoint.ts'
import type { StreamResult } from './follow-stream.ts'
import { MAX_STALLS, resumeAnswer } from './server-channel.ts'
import { retryAfterMs } from './retry-after.ts'

/** A request that ended without an answer. */
export interface FailedRequest {
  readonly context: HttpContext
  readonly request: JsonRpcRequest
  readonly post: HttpRequest
  /** The session it was sent in. */
  readonly sessionId: string | undefined
  /** The reason; undefined if the response was read to its end. */
  readonly error: unknown
  /** The error response, if there was one. */
  readonly refusal: HttpResponseHead | undefined
  /** Position in its event stream, if it had one. */
  readonly cursor: StreamCursor | undefined
  /** Number of times it was sent again. */
  readonly retries: number
  /** Called with the exchange to abort instead of the first one. */
  readonly onStart: (exchange: Abortable) => void
}

/** Maximum number of times a request is sent again. */
const MAX_RETRIES = 3

/**
 * Prepares a failed request for another attempt and resolves with whether to send it again: in a new session if the
 * server lost the old one, later if the server is busy. If its stream broke, waits for the answer on another one. Rejects
 * if there is none.
 */
export async function recover(failed: FailedRequest): Promise<boolean> {
  const { context, request, error } = failed
  // The request may have ended while this module was loaded.
  if (!context.isPending(request.id)) return false
  const remedy = failed.retries < MAX_RETRIES ? remedyFor(failed) : undefined
  if (remedy === undefined) {
    const result = await resume(failed)
    if (result?.kind === 'stalled') throw stalledError(request.method)
    throw error instanceof Error ? error : unansweredError(request.method)
  }
  await remedy()
  return context.isPending(request.id)
}

/** The step before the request is sent again, if that can succeed. */
function remedyFor({ context, post, sessionId, refusal }: FailedRequest): (() => Promise<void>) | undefined {
  if (refusal === undefined) return undefined
  // The server did not process the request, so it may be sent in a new session.
  if (refusal.status === 404 && sessionId !== undefined) return () => context.renewSession(sessionId)
  const waitMs = isRepeatable(post.mayRepeat) ? retryAfterMs(refusal, Date.now()) : undefined
  return waitMs === undefined ? undefined : () => delay(waitMs, context.lifetime.signal)
}

/** The server sends the rest of a broken stream to a request that names the last event. */
async function resume(failed: FailedRequest): Promise<StreamResult | undefined> {
  const { context, request, cursor, onStart } = failed
  if (cursor === undefined || !canResume(failed, cursor)) return undefined
  return resumeAnswer(context, cursor, request.id, onStart)
}

function canResume(
  { context, post, sessionId, error }: FailedRequest,
  { lastEventId = '' }: StreamCursor,
): boolean {
  const isBroken = error === undefined || (error instanceof McpError && error.kind === 'closed')
  return (
    isBroken && lastEventId !== '' && sessionId === context.endpoint.sessionId && post.headers === undefined
  )
}

/** The server accepted the request and ended the response without an answer. */
export function unansweredError(method: string): McpError {
  const message = `the server ended its reply to ${method} without an answer; its effect is unknown`
  return connectionError(message, 'closed', { effect: 'unknown' })
}

/** The server keeps ending the streams on which the answer is expected. */
function stalledError(method: string): McpError {
  const message = `the server ended ${MAX_STALLS} streams for ${method} without a new event; its effect is unknown`
  return connectionError(message, 'closed', { effect: 'unknown' })
}
