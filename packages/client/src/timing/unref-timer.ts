/** Keeps a timer from holding the process open. Browsers number their timers; those hold nothing. */
export function unrefTimer<Timer extends ReturnType<typeof setTimeout>>(timer: Timer): Timer {
  if (typeof timer === 'object') timer.unref()
  return timer
}
