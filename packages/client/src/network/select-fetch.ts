import { hasNodeBuiltins } from '../runtime/has-node-builtins.ts'
import type { ConnectionOptions } from './connection-options.ts'

/**
 * The `fetch` that carries requests: the host's own, or that of a runtime which has no other way. Undefined where Node
 * makes the connections. Throws a `TypeError` for options that a `fetch` could not keep.
 */
export function selectFetch(
  options: ConnectionOptions & { readonly fetch?: typeof fetch | undefined },
): typeof fetch | undefined {
  const carry = options.fetch ?? (hasNodeBuiltins() ? undefined : fetch)
  if (carry !== undefined && (options.tls !== undefined || typeof options.proxy === 'string')) {
    throw new TypeError(
      '`tls` and `proxy` are for connections that Node makes; set them where `fetch` is made',
    )
  }
  return carry
}
