/** Keeps a timer from holding the process open. Browsers number their timers; those hold nothing. */
export function unrefTimer<Timer extends ReturnType<typeof setTimeout>>(timer: Timer): Timer {
  if (typeof timer === 'object') timer.unref()
  return timer
}

/** Waits, but no longer than until the signal aborts. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = unrefTimer(setTimeout(finish, milliseconds))
    signal.addEventListener('abort', finish)
    if (signal.aborted) finish()
  })
}
