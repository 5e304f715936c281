import { usesDirectConnections } from '../network/connection-options.ts'
import type { McpError } from '../jsonrpc/jsonrpc.ts'
import type { SenderOptions, SenderFactory } from './sender-factory.ts'
import { createNodeSender } from './node-sender.ts'

/** Carriers that are no plain `fetch`: Node's own, and those whose connections are guarded or set up in some way. */
export async function otherCarriers(
  carry: typeof fetch | undefined,
  options: SenderOptions,
  warn: (warning: McpError) => void,
): Promise<SenderFactory> {
  if (carry === undefined && usesDirectConnections(options)) return createNodeSender
  const { configuredSenders: connectedCarriers, guardedFetchSenders: guardedFetchCarriers } = await import(
    './configured-senders.ts'
  )
  return carry === undefined ? connectedCarriers(options, warn) : guardedFetchCarriers(carry, options, warn)
}
