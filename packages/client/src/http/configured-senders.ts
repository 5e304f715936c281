import { connectorsFor } from '../network/connector-factory.ts'
import type { ConnectionOptions } from '../network/connection-options.ts'
import { McpError, McpErrorCode } from '../jsonrpc/jsonrpc.ts'
import { assertSafeUrl } from '../url-guard/assert-safe-url.ts'
import type { NewCarrier } from './sender-factory.ts'
import { fetchCarrier } from './fetch-sender.ts'
import { nodeCarrier } from './node-sender.ts'

/** Carriers whose connections are guarded, go through a proxy, or have certificates of their own. */
export function connectedCarriers(options: ConnectionOptions, warn: (warning: McpError) => void): NewCarrier {
  const findConnector = connectorsFor(options, { keepAlive: true })
  return (origin) => {
    const connector = findConnector(origin)
    if (connector.unpinnedBy !== undefined) warn(unchecked(`the proxy ${connector.unpinnedBy}`))
    return nodeCarrier(origin, connector)
  }
}

/** Carriers that refuse what an address itself tells. */
export function guardedFetchCarriers(
  carry: typeof fetch,
  { guard }: ConnectionOptions,
  warn: (warning: McpError) => void,
): NewCarrier {
  return (origin) => {
    assertSafeUrl(origin, guard)
    warn(unchecked('fetch'))
    return fetchCarrier(carry)
  }
}

function unchecked(by: string): McpError {
  const message = `${by} looks names up itself, so what they resolve to is not checked; it has to refuse private addresses`
  return new McpError(message, { kind: 'unsupported', code: McpErrorCode.InternalError })
}
