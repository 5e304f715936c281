import { type JsonRpcRequest, McpError } from '../../jsonrpc/jsonrpc.ts'
import { delay } from '../../timing/delay.ts'
import type { ResponseHead } from '../../http/http-sender.ts'
import type { StreamCursor } from '../messages/event-stream-parser.ts'
import type { Abortable } from '../../http/http-exchange.ts'
import type { HttpContext } from './http-context.ts'
import type { HttpRequest } from '../../http/http-endpoint.ts'
import { resumeAnswer } from './server-channel.ts'
import { retryAfterMs } from './retry-after.ts'

/** A request that ended without its answer, and what is known of how. */
export interface FailedRequest {
  readonly link: HttpContext
  readonly request: JsonRpcRequest
  readonly post: HttpRequest
  /** The session it was made in. */
  readonly sessionId: string | undefined
  /** Why it ended; undefined if the response was read to its end. */
  readonly error: unknown
  /** The response that refused it, if one did. */
  readonly refusal: ResponseHead | undefined
  /** How far its stream of events came, if it had one. */
  readonly cursor: StreamCursor | undefined
  /** How often it was sent again. */
  readonly retries: number
  /** Told what to abort to give the waiting up. */
  readonly onStart: (underWay: Abortable) => void
}

/** How often a request is sent again, at most. */
const MAX_RETRIES = 3

/**
 * Does what can be done for a request, and resolves with whether it is to be sent once more: in a new session if the
 * server forgot the old one, later if the server is busy. An answer whose stream broke is waited for on another one.
 */
export async function recover(failed: FailedRequest): Promise<boolean> {
  const { link, request } = failed
  // What came too late for the request to go on may have ended it while this was loaded.
  if (!link.isPending(request.id)) return false
  const remedy = failed.retries < MAX_RETRIES ? remedyFor(failed) : undefined
  if (remedy === undefined) {
    await resume(failed)
    return false
  }
  await remedy()
  return link.isPending(request.id)
}

/** What to do before the request is sent once more, where that makes sense. */
function remedyFor({ link, post, sessionId, refusal }: FailedRequest): (() => Promise<void>) | undefined {
  if (refusal === undefined) return undefined
  // The server knows nothing of the request, so a new session may hear it.
  if (refusal.status === 404 && sessionId !== undefined) return () => link.renewSession(sessionId)
  const waitMs = post.mayRepeat ? retryAfterMs(refusal, Date.now()) : undefined
  return waitMs === undefined ? undefined : () => delay(waitMs, link.lifetime.signal)
}

/** The rest of an answer whose stream broke: the server keeps it for whoever names the last event that arrived. */
async function resume(failed: FailedRequest): Promise<void> {
  const { link, request, cursor, onStart } = failed
  if (cursor !== undefined && canResume(failed, cursor)) await resumeAnswer(link, cursor, request.id, onStart)
}

function canResume(
  { link, post, sessionId, error }: FailedRequest,
  { lastEventId = '' }: StreamCursor,
): boolean {
  const isCut = error === undefined || (error instanceof McpError && error.kind === 'closed')
  return isCut && lastEventId !== '' && sessionId === link.endpoint.sessionId && post.headers === undefined
}
