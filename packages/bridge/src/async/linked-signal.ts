import { setMaxListeners } from 'node:events'

/** A signal that others abort. Whoever links it disposes of it. */
export interface LinkedSignal extends Disposable {
  readonly signal: AbortSignal
}

/**
 * Aborted as soon as one of the signals is, with that one's reason. `AbortSignal.any` does the same but, on Node 20,
 * leaves something behind in every signal that outlives the link.
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
  // One signal may be linked any number of times; Node takes more than ten listeners for a leak.
  setMaxListeners(0, signal)
  const onAbort = (): void => controller.abort(signal.reason)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  return () => signal.removeEventListener('abort', onAbort)
}
