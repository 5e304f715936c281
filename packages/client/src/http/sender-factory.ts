import { carryingFetch } from '../network/select-fetch.ts'
import type { ConnectionOptions } from '../network/connection-options.ts'
import type { McpError } from '../jsonrpc/jsonrpc.ts'
import type { HttpCarrier } from './http-sender.ts'
import { fetchCarrier } from './fetch-sender.ts'

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
  const carry = carryingFetch(options)
  if (carry !== undefined && options.guard === undefined) return () => fetchCarrier(carry)
  const { otherCarriers } = await import('./node-senders.ts')
  return otherCarriers(carry, options, warn)
}
