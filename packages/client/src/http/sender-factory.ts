import type { McpError } from '../jsonrpc/jsonrpc.ts'
import type { ConnectionOptions } from '../network/connection-options.ts'
import { selectFetch } from '../network/select-fetch.ts'
import { createFetchSender } from './fetch-sender.ts'
import type { HttpSender } from './http-sender.ts'

/** Creates the sender to the origin of a URL. Throws an `McpSsrfError` if the guard refuses the URL. */
export type SenderFactory = (url: URL) => HttpSender

/** How HTTP requests are sent. */
export interface SenderOptions extends ConnectionOptions {
  /** Sends the requests. Default: the HTTP client of Node; in a browser, the global `fetch`. */
  readonly fetch?: typeof fetch
}

/** Selects how requests are sent. `warn` receives what the guard cannot check. */
export async function createSenderFactory(
  options: SenderOptions,
  warn: (warning: McpError) => void,
): Promise<SenderFactory> {
  const selected = selectFetch(options)
  if (selected !== undefined && options.guard === undefined) return () => createFetchSender(selected)
  const { loadSenderFactory } = await import('./load-sender-factory.ts')
  return loadSenderFactory(selected, options, warn)
}
