/** Loads what a connection needs when it listens, or when something went wrong. */
export function httpOnDemand(): Promise<typeof import('./http-on-demand.ts')> {
  return import('./http-on-demand.ts')
}
