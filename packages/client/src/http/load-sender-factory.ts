import type { McpError } from '../jsonrpc/jsonrpc.ts'
import { usesDirectConnections } from '../network/connection-options.ts'
import { createNodeSender } from './node-sender.ts'
import type { SenderFactory, SenderOptions } from './sender-factory.ts'

/** Creates senders on Node's HTTP client, or on a guarded `fetch`. Loads proxies, TLS and the guard only if needed. */
export async function loadSenderFactory(
  customFetch: typeof fetch | undefined,
  options: SenderOptions,
  warn: (warning: McpError) => void,
): Promise<SenderFactory> {
  if (customFetch === undefined && usesDirectConnections(options)) return createNodeSender
  const { configuredSenders, guardedFetchSenders } = await import('./configured-senders.ts')
  return customFetch === undefined
    ? configuredSenders(options, warn)
    : guardedFetchSenders(customFetch, options, warn)
}
