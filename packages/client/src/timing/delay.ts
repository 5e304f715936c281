import { unrefTimer } from './unref-timer.ts'

/** Waits, but no longer than until the signal aborts, and without holding the process open. */
export function delayUnref(milliseconds: number, signal: AbortSignal): Promise<void> {
  return waitFor((finish) => unrefTimer(setTimeout(finish, milliseconds)), signal)
}

/** The same on behalf of somebody who waits for what comes after: the process stays. */
export function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  return waitFor((finish) => setTimeout(finish, milliseconds), signal)
}

function waitFor(
  start: (finish: () => void) => ReturnType<typeof setTimeout>,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = start(finish)
    signal.addEventListener('abort', finish)
    if (signal.aborted) finish()
  })
}
