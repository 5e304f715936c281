import { McpError, McpErrorCode } from '../jsonrpc/jsonrpc.ts'
import type { ConnectionOptions } from '../network/connection-options.ts'
import { createConnectorFactory } from '../network/connector-factory.ts'
import { assertSafeUrl } from '../url-guard/assert-safe-url.ts'
import { createFetchSender } from './fetch-sender.ts'
import { createNodeSender } from './node-sender.ts'
import type { SenderFactory } from './sender-factory.ts'

/** Creates senders on Node's HTTP client with a guard, a proxy or TLS options. */
export function configuredSenders(
  options: ConnectionOptions,
  warn: (warning: McpError) => void,
): SenderFactory {
  const createConnector = createConnectorFactory(options, { keepAlive: true })
  return (url) => {
    const connector = createConnector(url)
    if (connector.resolvingProxy !== undefined) warn(uncheckedNames(`the proxy ${connector.resolvingProxy}`))
    return createNodeSender(url, connector)
  }
}

/** Creates senders on a `fetch`, for which the guard checks only the URL. */
export function guardedFetchSenders(
  customFetch: typeof fetch,
  { guard }: ConnectionOptions,
  warn: (warning: McpError) => void,
): SenderFactory {
  return (url) => {
    assertSafeUrl(url, guard)
    warn(uncheckedNames('fetch'))
    return createFetchSender(customFetch)
  }
}

function uncheckedNames(resolver: string): McpError {
  const message = `${resolver} resolves names itself, so their addresses are not checked; it has to refuse private addresses`
  return new McpError(message, { kind: 'unsupported', code: McpErrorCode.InternalError })
}
