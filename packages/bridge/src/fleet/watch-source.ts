import type { Clock } from '../async/clock.ts'
import type { ConfigSource } from './config-source.ts'

export interface WatchOptions {
  readonly source: ConfigSource
  readonly clock: Clock
  /** Quiet time before reading: files are often written in several steps. */
  readonly debounceMs: number
  /** Must not reject. */
  readonly reload: () => Promise<void>
}

/** Reloads a source on change, one read at a time, until disposed. */
export function watchSource({ source, clock, debounceMs, reload }: WatchOptions): Disposable {
  let giveUp = (): void => {}
  let last = Promise.resolve()
  const watching = source.watch?.(() => {
    giveUp()
    giveUp = clock.after(debounceMs, () => {
      last = last.then(reload)
    })
  })
  return {
    [Symbol.dispose]: () => {
      giveUp()
      watching?.[Symbol.dispose]()
    },
  }
}
