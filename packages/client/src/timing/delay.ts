import { unrefTimer } from './unref-timer.ts'

/** Resolves after a time, or as soon as the signal aborts. Keeps the process alive. */
export function delay(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return delayWith((finish) => setTimeout(finish, milliseconds), signal)
}

/** Like `delay`, but does not keep the process alive. */
export function delayUnref(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return delayWith((finish) => unrefTimer(setTimeout(finish, milliseconds)), signal)
}

function delayWith(
  start: (finish: () => void) => ReturnType<typeof setTimeout>,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', finish)
      resolve()
    }
    const timer = start(finish)
    signal?.addEventListener('abort', finish)
    if (signal?.aborted === true) finish()
  })
}
