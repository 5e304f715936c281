import { isPlain } from '../network/connection-options.ts'
import type { McpError } from '../jsonrpc/jsonrpc.ts'
import type { CarrierOptions, NewCarrier } from './sender-factory.ts'
import { nodeCarrier } from './node-sender.ts'

/** Carriers that are no plain `fetch`: Node's own, and those whose connections are guarded or set up in some way. */
export async function otherCarriers(
  carry: typeof fetch | undefined,
  options: CarrierOptions,
  warn: (warning: McpError) => void,
): Promise<NewCarrier> {
  if (carry === undefined && isPlain(options)) return nodeCarrier
  const { connectedCarriers, guardedFetchCarriers } = await import('./configured-senders.ts')
  return carry === undefined ? connectedCarriers(options, warn) : guardedFetchCarriers(carry, options, warn)
}
