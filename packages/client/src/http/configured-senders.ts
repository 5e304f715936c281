import { createConnectorFactory } from '../network/connector-factory.ts'
import type { ConnectionOptions } from '../network/connection-options.ts'
import { McpError, McpErrorCode } from '../jsonrpc/jsonrpc.ts'
import { assertSafeUrl } from '../url-guard/assert-safe-url.ts'
import type { SenderFactory } from './sender-factory.ts'
import { createFetchSender } from './fetch-sender.ts'
import { createNodeSender } from './node-sender.ts'

/** Carriers whose connections are guarded, go through a proxy, or have certificates of their own. */
export function configuredSenders(
  options: ConnectionOptions,
  warn: (warning: McpError) => void,
): SenderFactory {
  const findConnector = createConnectorFactory(options, { keepAlive: true })
  return (origin) => {
    const connector = findConnector(origin)
    if (connector.resolvingProxy !== undefined) warn(unchecked(`the proxy ${connector.resolvingProxy}`))
    return createNodeSender(origin, connector)
  }
}

/** Carriers that refuse what an address itself tells. */
export function guardedFetchSenders(
  carry: typeof fetch,
  { guard }: ConnectionOptions,
  warn: (warning: McpError) => void,
): SenderFactory {
  return (origin) => {
    assertSafeUrl(origin, guard)
    warn(unchecked('fetch'))
    return createFetchSender(carry)
  }
}

function unchecked(by: string): McpError {
  const message = `${by} looks names up itself, so what they resolve to is not checked; it has to refuse private addresses`
  return new McpError(message, { kind: 'unsupported', code: McpErrorCode.InternalError })
}
