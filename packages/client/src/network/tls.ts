import type { SecureContext } from 'node:tls'
import { nodeBuiltin } from '../runtime/node-builtins.ts'
import type { TlsOptions } from './connection-options.ts'

/** What a TLS connection is told. */
export interface SecureOptions {
  readonly secureContext?: SecureContext
}

/** What TLS needs to know of these options; nothing if there are none. Reading certificates takes a while. */
export function secureOptionsOf(options: TlsOptions | undefined): SecureOptions {
  if (options === undefined) return {}
  const { createSecureContext } = nodeBuiltin('node:tls')
  const { ca, ...own } = options
  try {
    return {
      secureContext: createSecureContext({ ...own, ...(ca === undefined ? {} : { ca: besideUsual(ca) }) }),
    }
  } catch {
    // The reason of OpenSSL says nothing to people, and a key does not belong in an error.
    throw new TypeError(
      'the certificate, the key or the authorities in `tls` cannot be used; give them as PEM texts',
    )
  }
}

/** What a server is called in TLS. An address is no name; the certificate is compared with it all the same. */
export function serverNameOf(host: string): string {
  return nodeBuiltin('node:net').isIP(host) === 0 ? host : ''
}

/** Node takes a list of authorities for the whole truth. */
function besideUsual(ca: string | readonly string[]): string[] {
  return [...usualAuthorities(), ...(typeof ca === 'string' ? [ca] : ca)]
}

/** Later versions of Node also know those of the system and of NODE_EXTRA_CA_CERTS. */
function usualAuthorities(): readonly string[] {
  const tls: typeof import('node:tls') & { readonly getCACertificates?: () => string[] } =
    nodeBuiltin('node:tls')
  return tls.getCACertificates?.() ?? tls.rootCertificates
}
