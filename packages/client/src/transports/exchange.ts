import { closedError, McpError } from '../jsonrpc.ts'
import type { BodySink } from './body-sinks.ts'
import type { CarrierRequest, HttpCarrier, ResponseHead } from './carrier.ts'
import { unreachableError } from './http-errors.ts'

/** A request under way. */
export interface Exchange {
  /** Settles when the response is complete, has failed, or was refused by whoever reads it. */
  readonly done: Promise<void>
  /** Gives the request up; `done` then rejects with the reason, unless it has settled before. */
  readonly abort: (reason: McpError) => void
}

/** Sends a request. `open` looks at the head of the response and says who takes the body; throwing refuses it. */
export function startExchange(
  carrier: HttpCarrier,
  url: URL,
  request: CarrierRequest,
  open: (head: ResponseHead) => BodySink,
): Exchange {
  let sink: BodySink | undefined
  let abort: (reason: unknown) => void = () => undefined
  const attempt = (step: () => void): void => {
    try {
      step()
    } catch (error) {
      abort(error)
    }
  }
  const done = new Promise<void>((resolve, reject) => {
    const giveUp = carrier.send(request, {
      onHead: (head) => attempt(() => void (sink = open(head))),
      onChunk: (bytes) => attempt(() => sink?.push(bytes)),
      onEnd: () => {
        attempt(() => sink?.end())
        resolve()
      },
      onError: (error) => reject(sink === undefined ? unreachableError(url, error) : cutOff(url)),
    })
    abort = (reason) => {
      sink = undefined
      giveUp()
      reject(reason)
    }
  })
  return { done, abort: (reason) => abort(reason) }
}

function cutOff(url: URL): McpError {
  return closedError(`the connection to ${url.origin} broke in the middle of an answer`)
}
