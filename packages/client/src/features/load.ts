/** Loads what is not needed to connect, list and call. The one place that does: bundlers wrap each import in code. */
export function onDemand(): Promise<typeof import('./on-demand.ts')> {
  return import('./on-demand.ts')
}
