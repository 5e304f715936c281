import { type Clock, systemClock } from '../async/clock.ts'
import type { ConfigSource } from './config-source.ts'

/** Options of `watchSource`. */
export interface WatchSourceOptions {
  /** The source that is watched. */
  readonly source: Pick<ConfigSource, 'watch'>
  /** Default: the system clock. */
  readonly clock?: Clock
  /** Quiet time before reading: files are often written in several steps. Default: 200 ms. */
  readonly debounceMs?: number
  /** Reads the source and applies what it says. Must not reject. */
  readonly reload: () => Promise<void>
}

/** Reloads a source on change, one read at a time, until disposed. */
export function watchSource(options: WatchSourceOptions): Disposable {
  const { source, clock = systemClock, debounceMs = 200, reload } = options
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
