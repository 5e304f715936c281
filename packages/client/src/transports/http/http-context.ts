import type { JsonRpcRequest, McpError, RequestId } from '../../jsonrpc/jsonrpc.ts'
import type { HttpCall } from './http-call.ts'
import type { HttpEndpoint } from '../../http/http-endpoint.ts'

/** What a request, or a stream, needs of the connection that it belongs to. */
export interface HttpContext {
  readonly endpoint: HttpEndpoint
  readonly maxBytes: number
  /** Its signal is aborted when the connection is closed, and made when it is first asked for: most links never do. */
  readonly lifetime: Pick<AbortController, 'signal'>
  /** The requests under way. */
  readonly calls: Map<RequestId, HttpCall>
  /** Takes a message; `callId` names the request on whose stream it came. */
  readonly receive: (message: unknown, callId: RequestId | undefined) => void
  readonly isPending: (id: RequestId) => boolean
  /** Ends a request, or has it tried in another way. */
  readonly fail: (request: JsonRpcRequest, reason: unknown) => void
  /** Lets the time of a request stand still, or go on. */
  readonly setPaused: (id: RequestId, isHeldUp: boolean) => void
  readonly failCall: (id: RequestId, reason: McpError) => void
  readonly warn: (warning: McpError) => void
  /** Resolves when a session other than the lost one is open; rejects when there is none to be had. */
  readonly renewSession: (lost: string) => Promise<void>
  /** The server took a request. */
  readonly onAccepted: () => void
}
