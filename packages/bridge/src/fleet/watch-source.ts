import type { Clock } from '../async/clock.ts'
import type { ConfigSource } from './config-source.ts'

export interface WatchOptions {
  readonly source: ConfigSource
  readonly clock: Clock
  /** How long nothing must have changed before it is read: a file is often written in several steps. */
  readonly debounceMs: number
  /** Must not reject. */
  readonly reload: () => Promise<void>
}

/** Reads a source again whenever it changed, one reading at a time, until it is disposed of. */
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
