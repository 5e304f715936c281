import { unrefTimer } from '../timing/unref-timer.ts'
import { type BodySink, ignoredBody } from './body-sinks.ts'
import type { ResponseHead } from './http-sender.ts'
import { unacknowledgedError } from './http-errors.ts'
import type { HttpEndpoint, HttpRequest } from './http-endpoint.ts'

/**
 * Sends what needs no answer; resolves when the server has taken it, whatever becomes of the rest of its response.
 * `refuse` says who takes the body of a response that is no success.
 */
export function deliver(
  wire: HttpEndpoint,
  request: HttpRequest,
  options: {
    readonly timeoutMs: number
    readonly refuse: (head: ResponseHead) => BodySink
    readonly heldUp?: (isHeldUp: boolean) => void
  },
): Promise<void> {
  const { timeoutMs, refuse, heldUp } = options
  return new Promise((resolve, reject) => {
    let isTaken = false
    const exchange = wire.send(request, {
      open(head) {
        isTaken = head.status >= 200 && head.status < 300
        return isTaken ? ignoredBody : refuse(head)
      },
      onPaused(isHeldUp) {
        clearTimeout(timer)
        if (!isHeldUp) timer = startTimer()
        heldUp?.(isHeldUp)
      },
      done(error) {
        clearTimeout(timer)
        if (error === undefined || isTaken) resolve()
        else reject(error)
      },
    })
    const giveUp = (): void => exchange.abort(unacknowledgedError(wire.url, timeoutMs))
    const startTimer = (): ReturnType<typeof setTimeout> => unrefTimer(setTimeout(giveUp, timeoutMs))
    let timer = startTimer()
  })
}
