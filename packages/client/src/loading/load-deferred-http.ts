/** Loads the parts of the HTTP transports that a plain call does not need. Bundlers wrap each dynamic import in code. */
export function loadDeferredHttp(): Promise<typeof import('../deferred-http.ts')> {
  return import('../deferred-http.ts')
}
