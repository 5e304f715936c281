import type { HttpEndpoint } from '../../http/http-endpoint.ts'
import type { JsonRpcRequest, RequestId } from '../../jsonrpc/jsonrpc.ts'
import type { EventReceiver } from '../messages/event-body.ts'
import type { HttpCall } from './http-call.ts'

/** The part of an `HttpTransport` that its calls and streams use. */
export interface HttpContext extends EventReceiver {
  readonly endpoint: HttpEndpoint
  /** Its signal aborts when the transport closes. Node creates the signal on first access, which most transports avoid. */
  readonly lifetime: Pick<AbortController, 'signal'>
  /** The calls in flight. */
  readonly calls: Map<RequestId, HttpCall>
  /** Fails a request, or tries it on the transport of 2024-11-05. */
  readonly fail: (request: JsonRpcRequest, reason: unknown) => void
  /** Stops the timeout of a call, or lets it run again. */
  readonly setPaused: (id: RequestId, isPaused: boolean) => void
  /** Resolves when a session other than the lost one is open; rejects if none can be opened. */
  readonly renewSession: (lost: string) => Promise<void>
  /** Called when the server accepted a request. */
  readonly onAccepted: () => void
}
