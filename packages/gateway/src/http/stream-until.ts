/** Ends the event stream of a response when the signal is aborted. Other responses are returned as they are. */
export function streamUntil(signal: AbortSignal | undefined, response: Response): Response {
  if (signal === undefined || response.body === null) return response
  if (response.headers.get('content-type') !== 'text/event-stream') return response
  const { status, headers } = response
  return new Response(endingWith(signal, response.body.getReader()), { status, headers })
}

function endingWith(
  signal: AbortSignal,
  reader: ReadableStreamDefaultReader<Uint8Array>,
): ReadableStream<Uint8Array> {
  let end = (): void => undefined
  const unlink = (): void => signal.removeEventListener('abort', end)
  return new ReadableStream({
    start(controller) {
      end = () => {
        controller.close()
        void reader.cancel(signal.reason).catch(() => undefined)
      }
      if (signal.aborted) return end()
      signal.addEventListener('abort', end, { once: true })
    },
    async pull(controller) {
      const { done, value } = await reader.read()
      if (signal.aborted) return
      if (!done) return controller.enqueue(value)
      unlink()
      controller.close()
    },
    cancel(reason) {
      unlink()
      return reader.cancel(reason)
    },
  })
}
