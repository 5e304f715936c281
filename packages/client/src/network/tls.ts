import type { SecureContext } from 'node:tls'
import { nodeBuiltin } from '../runtime/node-builtins.ts'
import type { TlsOptions } from './connection-options.ts'

/** Options of a TLS connection. */
export interface SecureOptions {
  readonly secureContext?: SecureContext
}

/** Reads the certificates, which takes some milliseconds. Throws a `TypeError` for invalid ones. */
export function secureOptionsOf(options: TlsOptions | undefined): SecureOptions {
  if (options === undefined) return {}
  const { createSecureContext } = nodeBuiltin('node:tls')
  const { ca, ...own } = options
  try {
    return {
      secureContext: createSecureContext({ ...own, ...(ca === undefined ? {} : { ca: withDefaults(ca) }) }),
    }
  } catch {
    // The message of OpenSSL does not help, and the error must not contain the key.
    throw new TypeError('invalid certificate, key or authorities in `tls`; provide them as PEM texts')
  }
}

/** The server name for TLS; empty for an IP address, which the certificate is still checked against. */
export function serverNameOf(hostname: string): string {
  return nodeBuiltin('node:net').isIP(hostname) === 0 ? hostname : ''
}

/** In Node, a list of authorities replaces the default ones. */
function withDefaults(ca: string | readonly string[]): string[] {
  return [...defaultAuthorities(), ...(typeof ca === 'string' ? [ca] : ca)]
}

/** Newer versions of Node include the authorities of the system and of NODE_EXTRA_CA_CERTS. */
function defaultAuthorities(): readonly string[] {
  const tls: typeof import('node:tls') & { readonly getCACertificates?: () => string[] } =
    nodeBuiltin('node:tls')
  return tls.getCACertificates?.() ?? tls.rootCertificates
}
