const heartbeatMs = 15_000
/** A reader with more unread frames is disconnected; it reconnects and fetches the current state. */
const maxWaitingFrames = 1_000

/**
 * Returns a `text/event-stream` response that ends when the reader disconnects or one of the signals is aborted. `start` gets a
 * function that sends an event, and returns a function that is called at the end.
 */
export function eventStream(
  signals: readonly AbortSignal[],
  start: (send: (event: unknown) => void) => () => void,
): Response {
  let undo: () => void = () => undefined
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      undo = feed(controller, signals, start)
    },
    cancel: () => undo(),
  })
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
  })
}

function feed(
  controller: ReadableStreamDefaultController<Uint8Array>,
  signals: readonly AbortSignal[],
  start: (send: (event: unknown) => void) => () => void,
): () => void {
  const encoder = new TextEncoder()
  const stop = start((event) => write(`data: ${JSON.stringify(event)}\n\n`))
  const heartbeat = setInterval(() => write(': keep-alive\n\n'), heartbeatMs)
  for (const signal of signals) signal.addEventListener('abort', end)
  if (signals.some(({ aborted }) => aborted)) end()
  return undo

  function write(frame: string): void {
    controller.enqueue(encoder.encode(frame))
    if ((controller.desiredSize ?? 0) < -maxWaitingFrames) end()
  }

  function end(): void {
    undo()
    controller.close()
  }

  function undo(): void {
    clearInterval(heartbeat)
    for (const signal of signals) signal.removeEventListener('abort', end)
    stop()
  }
}
