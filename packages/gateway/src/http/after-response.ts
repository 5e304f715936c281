/**
 * Calls `onEnd` when the response is complete: at once, or at the end of an event stream, then maybe twice. Returns the
 * response to send.
 */
export function afterResponse(response: Response, onEnd: () => void): Response {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  if (isStream && response.body !== null) {
    const { status, headers } = response
    return new Response(endingWith(response.body.getReader(), onEnd), { status, headers })
  }
  onEnd()
  return response
}

function endingWith(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        controller.close()
      } catch (error) {
        controller.error(error)
      }
      onEnd()
    },
    cancel(reason) {
      onEnd()
      return reader.cancel(reason)
    },
  })
}
