/** Loads what a connection needs when it listens, or when something went wrong. */
export function httpOnDemand(): Promise<typeof import('./deferred.ts')> {
  return import('./deferred.ts')
}
