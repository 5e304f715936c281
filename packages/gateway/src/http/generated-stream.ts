import { linkedSignal } from '@toolbridge/client/internal'

/**
 * Returns a `text/event-stream` response with the events that a generator yields, as fast as they are read. The generator's
 * signal is aborted when one of the signals is, or the reader disconnects.
 */
export function generatedStream(
  signals: readonly (AbortSignal | undefined)[],
  generate: (signal: AbortSignal) => AsyncGenerator<unknown, void>,
): Response {
  const encoder = new TextEncoder()
  const disconnected = new AbortController()
  const ended = linkedSignal(...signals, disconnected.signal)
  const events = generate(ended.signal)
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await events.next()
      if (done !== true) return controller.enqueue(encoder.encode(`data: ${JSON.stringify(value)}\n\n`))
      ended[Symbol.dispose]()
      controller.close()
    },
    async cancel(reason) {
      disconnected.abort(reason)
      ended[Symbol.dispose]()
      await events.return(undefined)
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' } })
}
