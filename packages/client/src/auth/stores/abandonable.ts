/** Waits for work that goes on without whoever waits: the signal ends the waiting with its reason, not the work. */
export function abandonable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const abandon = (): void => reject(signal.reason)
    const finish = (): void => signal.removeEventListener('abort', abandon)
    signal.addEventListener('abort', abandon)
    work.finally(finish).then(resolve, reject)
    if (signal.aborted) abandon()
  })
}
