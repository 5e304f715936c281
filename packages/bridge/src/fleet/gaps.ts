import { abortable } from '@toolbridge/client/internal'
import { createEnding, type Ending } from '../async/ending.ts'
import { startDeadline } from '../upstream/connections/deadline.ts'

interface Gap {
  /** Number of replacements under way. */
  count: number
  readonly over: Ending
}

/** Servers that are stopped before their replacement starts. Calls wait until the gap is over. */
export class Gaps {
  readonly #gaps = new Map<string, Gap>()

  get size(): number {
    return this.#gaps.size
  }

  has(server: string): boolean {
    return this.#gaps.has(server)
  }

  /** To be followed by one `leave`. */
  enter(server: string): void {
    const gap = this.#gaps.get(server) ?? { count: 0, over: createEnding() }
    gap.count += 1
    this.#gaps.set(server, gap)
  }

  leave(server: string): void {
    const gap = this.#gaps.get(server)
    if (gap === undefined) return
    gap.count -= 1
    if (gap.count > 0) return
    this.#gaps.delete(server)
    gap.over.resolve()
  }

  /** Resolves when the gap is over. Rejects after `limitMs`, and with the signal's reason. */
  async over(server: string, limitMs: number, signal: AbortSignal): Promise<void> {
    const gap = this.#gaps.get(server)
    if (gap === undefined) return
    const message = `server "${server}" is being replaced and was not ready within ${limitMs} ms (timeouts.startMs)`
    const deadline = startDeadline(message, limitMs, signal)
    try {
      await abortable(gap.over.promise, deadline.signal)
    } finally {
      deadline.stop()
    }
  }
}
