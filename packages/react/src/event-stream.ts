/**
 * Yields the `data` of each event of a `text/event-stream` body, as the HTML standard reads one (section 9.2.6). Calls `onChunk` for
 * whatever arrives, also comments.
 */
export async function* eventData(
  body: ReadableStream<Uint8Array>,
  onChunk: () => void = () => undefined,
): AsyncGenerator<string> {
  let data: string[] = []
  for await (const line of linesOf(body, onChunk)) {
    if (line === '') {
      if (data.length > 0) yield data.join('\n')
      data = []
    } else if (line.startsWith('data:')) {
      data.push(line.slice(line[5] === ' ' ? 6 : 5))
    }
  }
}

async function* linesOf(body: ReadableStream<Uint8Array>, onChunk: () => void): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of textOf(body)) {
    onChunk()
    // A carriage return at the end may be half of a line break, so it is kept for the next chunk.
    const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    yield* lines
  }
}

async function* textOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      yield decoder.decode(next.value, { stream: true })
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
