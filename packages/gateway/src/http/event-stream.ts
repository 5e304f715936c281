const heartbeatMs = 15_000
/** A reader with more unread bytes is disconnected; it reconnects and fetches the current state. */
const defaultMaxWaitingBytes = 16 * 2 ** 20
/** What a short event counts for, so that about a thousand of any length can wait. */
const minFrameBytes = 16 * 2 ** 10

/** Options of `eventStream`. */
export interface EventStreamOptions {
  /** Default: 16 MiB. */
  readonly maxWaitingBytes?: number
  /** Events that are left out while more bytes wait. With it, a slow reader is not disconnected. Default: none. */
  readonly isOptional?: (event: unknown) => boolean
  /** Further headers of the response. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Returns a `text/event-stream` response that ends when the reader disconnects or one of the signals is aborted. `start` gets a
 * function that sends an event, and returns a function that is called at the end.
 */
export function eventStream(
  signals: readonly AbortSignal[],
  start: (send: (event: unknown) => void) => () => void,
  { headers, ...limits }: EventStreamOptions = {},
): Response {
  let undo: () => void = () => undefined
  const source = {
    start: (controller: ReadableStreamDefaultController<Uint8Array>) => {
      undo = feed(controller, signals, start, limits)
    },
    cancel: () => undo(),
  }
  const body = new ReadableStream(source, { highWaterMark: 0, size: sizeOf })
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no', ...headers },
  })
}

function sizeOf(frame: Uint8Array): number {
  return Math.max(frame.byteLength, minFrameBytes)
}

function feed(
  controller: ReadableStreamDefaultController<Uint8Array>,
  signals: readonly AbortSignal[],
  start: (send: (event: unknown) => void) => () => void,
  { maxWaitingBytes = defaultMaxWaitingBytes, isOptional }: Omit<EventStreamOptions, 'headers'>,
): () => void {
  const encoder = new TextEncoder()
  const isFull = (): boolean => (controller.desiredSize ?? 0) < -maxWaitingBytes
  const stop = start((event) => {
    if (isOptional !== undefined && isFull() && isOptional(event)) return
    write(`data: ${JSON.stringify(event)}\n\n`)
  })
  const heartbeat = setInterval(() => write(': keep-alive\n\n'), heartbeatMs)
  for (const signal of signals) signal.addEventListener('abort', end)
  if (signals.some(({ aborted }) => aborted)) end()
  return undo

  function write(frame: string): void {
    // One event may be longer than what may wait.
    if (isOptional === undefined && isFull()) return end()
    controller.enqueue(encoder.encode(frame))
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
