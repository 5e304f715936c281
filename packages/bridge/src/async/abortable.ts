import { setMaxListeners } from 'node:events'

/** Waits for a promise unless the signal is aborted first: then rejects with the signal's own reason. */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise
  // One signal may stop any number of waits; Node takes more than ten listeners for a leak.
  setMaxListeners(0, signal)
  let stopListening = (): void => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    const onAbort = (): void => reject(signal.reason)
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    stopListening = () => signal.removeEventListener('abort', onAbort)
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    stopListening()
  }
}
