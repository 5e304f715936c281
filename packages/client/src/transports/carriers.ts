import { type ConnectionOptions, isPlain } from '../connections/options.ts'
import type { McpError } from '../jsonrpc.ts'
import { hasNodeBuiltins } from '../node-builtins.ts'
import type { HttpCarrier } from './carrier.ts'
import { fetchCarrier } from './fetch-carrier.ts'

/** Makes the carrier to one origin; throws an `McpSsrfError` for one that the guard refuses. */
export type NewCarrier = (origin: URL) => HttpCarrier

export interface CarrierOptions extends ConnectionOptions {
  /** Carries the requests instead of Node's own HTTP client. */
  readonly fetch?: typeof fetch
}

/** How carriers are made, loaded as far as it is needed. `warn` hears what the guard cannot do. */
export async function carriersFor(
  options: CarrierOptions,
  warn: (warning: McpError) => void,
): Promise<NewCarrier> {
  const carry = fetchOf(options)
  if (carry === undefined && isPlain(options)) return (await import('./node-carrier.ts')).nodeCarrier
  if (carry !== undefined && options.guard === undefined) return () => fetchCarrier(carry)
  const { connectedCarriers, guardedFetchCarriers } = await import('./connected-carriers.ts')
  return carry === undefined ? connectedCarriers(options, warn) : guardedFetchCarriers(carry, options, warn)
}

/** Throws a `TypeError` for options that whoever carries the requests could not keep. */
export function assertUsable(options: CarrierOptions): void {
  const isOwn = options.tls !== undefined || typeof options.proxy === 'string'
  if (isOwn && fetchOf(options) !== undefined) {
    throw new TypeError(
      '`tls` and `proxy` are for connections that Node makes; set them where `fetch` is made',
    )
  }
}

function fetchOf(options: CarrierOptions): typeof fetch | undefined {
  return options.fetch ?? (hasNodeBuiltins() ? undefined : fetch)
}
