type Parts = typeof import('../deferred.ts')

let loading: Promise<Parts> | undefined

/** Loads the code that is not needed to connect, list and call. The only such import: bundlers add code to each. */
export function loadDeferred(): Promise<Parts> {
  // Importing again takes microseconds. After a failure the next call tries again.
  loading ??= import('../deferred.ts').catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}
