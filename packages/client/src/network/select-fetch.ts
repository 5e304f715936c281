import { hasNodeBuiltins } from '../runtime/has-node-builtins.ts'
import type { ConnectionOptions } from './connection-options.ts'

/**
 * The `fetch` to send requests with: the one in the options, or the global one in a runtime without `node:http`.
 * Undefined if Node makes the connections. Throws a `TypeError` for options that `fetch` does not support.
 */
export function selectFetch(
  options: ConnectionOptions & { readonly fetch?: typeof fetch | undefined },
): typeof fetch | undefined {
  const selected = options.fetch ?? (hasNodeBuiltins() ? undefined : fetch)
  if (selected !== undefined && (options.tls !== undefined || typeof options.proxy === 'string')) {
    throw new TypeError('set `tls` and `proxy` in the given `fetch`')
  }
  return selected
}
