import { unrefTimer } from '../timing/unref-timer.ts'
import { type BodySink, ignoredBody } from './body-sinks.ts'
import type { HttpEndpoint, HttpRequest } from './http-endpoint.ts'
import { unacknowledgedError } from './http-errors.ts'
import type { HttpResponseHead } from './http-sender.ts'

/**
 * Sends a message that needs no answer. Resolves when the server acknowledged it, whatever happens to the rest of the
 * response. `refuse` returns the sink for the body of an error response.
 */
export function deliver(
  endpoint: HttpEndpoint,
  request: HttpRequest,
  options: {
    readonly timeoutMs: number
    readonly refuse: (head: HttpResponseHead) => BodySink
    readonly onPaused?: (isPaused: boolean) => void
  },
): Promise<void> {
  const { timeoutMs, refuse, onPaused } = options
  return new Promise((resolve, reject) => {
    let isAcknowledged = false
    const exchange = endpoint.send(request, {
      open(head) {
        isAcknowledged = head.status >= 200 && head.status < 300
        return isAcknowledged ? ignoredBody : refuse(head)
      },
      onPaused(isPaused) {
        clearTimeout(timer)
        if (!isPaused) timer = startTimer()
        onPaused?.(isPaused)
      },
      done(error) {
        clearTimeout(timer)
        if (error === undefined || isAcknowledged) resolve()
        else reject(error)
      },
    })
    const giveUp = (): void => exchange.abort(unacknowledgedError(endpoint.url, timeoutMs))
    const startTimer = (): ReturnType<typeof setTimeout> => unrefTimer(setTimeout(giveUp, timeoutMs))
    let timer = startTimer()
  })
}
