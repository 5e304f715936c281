/** Time that a program has to end after an interruption. */
const graceMs = 3_000

/** Rejects when something happens that ends the program from outside. */
export interface Ending extends Disposable {
  readonly promise: Promise<never>
}

/**
 * Waits for a part of a program, and returns its result. Rejects with what it throws, with what `uncaught` rejects with, and
 * with the reason of `signal` if the program does not end in time after an interruption.
 */
export async function untilEnd<T>(
  program: () => T | Promise<T>,
  uncaught: Ending,
  signal: AbortSignal,
): Promise<T> {
  using late = interruption(signal)
  return await Promise.race([Promise.resolve().then(program), uncaught.promise, late.promise])
}

/** Rejects with an error that nothing handles, or when nothing is left that could settle the program's promise. */
export function uncaughtError(): Ending {
  let end: (error: unknown) => void = () => {}
  const promise = new Promise<never>((_, reject) => (end = reject))
  promise.catch(() => {})
  const idle = (): void => end(new Error('the program waits for a promise that nothing settles'))
  process.on('uncaughtException', end).on('unhandledRejection', end).on('beforeExit', idle)
  return {
    promise,
    [Symbol.dispose]: () => {
      process.off('uncaughtException', end).off('unhandledRejection', end).off('beforeExit', idle)
    },
  }
}

/** Rejects some time after an interruption. */
function interruption(signal: AbortSignal): Ending {
  let timer: NodeJS.Timeout | undefined
  let begin = (): void => {}
  const promise = new Promise<never>((_, reject) => {
    begin = () => {
      timer = setTimeout(() => reject(signal.reason), graceMs)
    }
  })
  promise.catch(() => {})
  if (signal.aborted) begin()
  else signal.addEventListener('abort', begin, { once: true })
  return {
    promise,
    [Symbol.dispose]: () => {
      signal.removeEventListener('abort', begin)
      clearTimeout(timer)
    },
  }
}
