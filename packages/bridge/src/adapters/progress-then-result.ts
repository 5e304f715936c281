import type { CallToolResult, Progress } from '@toolbridge/client'
import { linkedSignal } from '@toolbridge/client/internal'

/** Makes a call. The signal is aborted when nobody reads on. */
type Call = (onProgress: (progress: Progress) => void, signal: AbortSignal) => Promise<CallToolResult>

/** Yields each progress notification of a call, then its result. Ends the call when it is not read to the end. */
export async function* progressThenResult(
  signal: AbortSignal | undefined,
  call: Call,
): AsyncGenerator<Progress | CallToolResult, void> {
  const left = new AbortController()
  using ended = linkedSignal(signal, left.signal)
  let unread: Progress[] = []
  let tell = (): void => {}
  const result = call((progress) => {
    unread.push(progress)
    tell()
  }, ended.signal)
  let isOver = false
  const onOver = (): void => {
    isOver = true
    tell()
  }
  result.then(onOver, onOver)
  try {
    for (;;) {
      const read = unread
      unread = []
      yield* read
      if (unread.length > 0) continue
      if (isOver) return yield await result
      await new Promise<void>((resolve) => {
        tell = resolve
      })
    }
  } finally {
    left.abort()
  }
}
