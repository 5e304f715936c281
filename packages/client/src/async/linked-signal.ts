import { allowManyListeners } from './allow-many-listeners.ts'

/** A signal that follows others. Its creator disposes of it. */
export interface LinkedSignal extends Disposable {
  /** Aborted with the reason of the first linked signal that aborts. */
  readonly signal: AbortSignal
}

/**
 * Links a new signal to others; undefined ones are skipped. Unlike `AbortSignal.any`, which on Node 20 leaks memory into
 * every signal that outlives the result, it can be disposed of.
 */
export function linkedSignal(...signals: readonly (AbortSignal | undefined)[]): LinkedSignal {
  const controller = new AbortController()
  const links = signals.flatMap((signal) => (signal === undefined ? [] : link(signal, controller)))
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      for (const unlink of links) unlink()
    },
  }
}

function link(signal: AbortSignal, controller: AbortController): () => void {
  allowManyListeners(signal)
  const onAbort = (): void => controller.abort(signal.reason)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  return () => signal.removeEventListener('abort', onAbort)
}
