/** A promise without a value, and the function that resolves it. */
export interface Ending {
  readonly promise: Promise<void>
  readonly resolve: () => void
}

/** Creates a promise that its creator resolves. */
export function createEnding(): Ending {
  let resolve = (): void => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
