import { selectFetch } from '../network/select-fetch.ts'
import type { ConnectionOptions } from '../network/connection-options.ts'
import type { McpError } from '../jsonrpc/jsonrpc.ts'
import type { HttpSender } from './http-sender.ts'
import { createFetchSender } from './fetch-sender.ts'

/** Makes the carrier to one origin; throws an `McpSsrfError` for one that the guard refuses. */
export type SenderFactory = (origin: URL) => HttpSender

export interface SenderOptions extends ConnectionOptions {
  /** Carries the requests instead of Node's own HTTP client. */
  readonly fetch?: typeof fetch
}

/** How carriers are made, loaded as far as it is needed. `warn` hears what the guard cannot do. */
export async function createSenderFactory(
  options: SenderOptions,
  warn: (warning: McpError) => void,
): Promise<SenderFactory> {
  const carry = selectFetch(options)
  if (carry !== undefined && options.guard === undefined) return () => createFetchSender(carry)
  const { otherCarriers } = await import('./node-senders.ts')
  return otherCarriers(carry, options, warn)
}
