/** Lets the process exit while the timer runs. In browsers a timer is a number, and nothing is done. */
export function unrefTimer<Timer extends ReturnType<typeof setTimeout>>(timer: Timer): Timer {
  if (typeof timer === 'object') timer.unref()
  return timer
}
