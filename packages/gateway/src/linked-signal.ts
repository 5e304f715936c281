/** A signal that others abort. Whoever links it disposes of it. */
export interface LinkedSignal extends Disposable {
  readonly signal: AbortSignal
}

/**
 * Aborted as soon as one of the signals is, with that one's reason. `AbortSignal.any` does the same but, on Node 20,
 * leaves something behind in every signal that outlives the link.
 */
export function linkedSignal(...signals: readonly AbortSignal[]): LinkedSignal {
  const controller = new AbortController()
  const unlink = signals.map((signal) => {
    const abort = (): void => controller.abort(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    return () => signal.removeEventListener('abort', abort)
  })
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      for (const end of unlink) end()
    },
  }
}
