type Parts = typeof import('../deferred.ts')

let loading: Promise<Parts> | undefined

/** Loads what is not needed to connect, list and call. The one place that does: bundlers wrap each import in code. */
export function loadDeferred(): Promise<Parts> {
  // Asking again for what is loaded costs microseconds; a page that could not load it may try again.
  loading ??= import('../deferred.ts').catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}
