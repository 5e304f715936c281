import { closedError, type McpError } from '../jsonrpc.ts'
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
  let giveUp: (() => void) | undefined
  let settle: { resolve: () => void; reject: (reason: unknown) => void } | undefined
  const done = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject }
  })
  // Lets go of everything. A Map keeps the entries of its outgrown tables until a full collection, and with them
  // whole requests and responses if an exchange held on to them: that was a third of a call's time.
  const finish = (error?: unknown): void => {
    if (error === undefined) settle?.resolve()
    else settle?.reject(error)
    sink = giveUp = settle = undefined
  }
  const abort = (reason: unknown): void => {
    giveUp?.()
    finish(reason)
  }
  const attempt = (step: () => void): void => {
    try {
      step()
    } catch (error) {
      abort(error)
    }
  }
  giveUp = carrier.send(request, {
    onHead: (head) => attempt(() => void (sink = open(head))),
    onChunk: (bytes) => attempt(() => sink?.push(bytes)),
    onEnd: () => {
      attempt(() => sink?.end())
      finish()
    },
    onError: (error) => finish(sink === undefined ? unreachableError(url, error) : cutOff(url)),
  })
  return { done, abort }
}

function cutOff(url: URL): McpError {
  return closedError(`the connection to ${url.origin} broke in the middle of an answer`)
}
