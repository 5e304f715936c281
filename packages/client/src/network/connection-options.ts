import type { UrlGuardOptions } from '../url-guard/options.ts'

/** Certificates in addition to those of the system. All values are PEM texts. */
export interface TlsOptions {
  /** Certificate authorities to trust in addition to the default ones. Default: none. */
  readonly ca?: string | readonly string[]
  /** Client certificate for a server that requests one. Default: none. */
  readonly cert?: string
  /** Private key of `cert`. Default: none. */
  readonly key?: string
  /** Passphrase of an encrypted `key`. Default: none. */
  readonly passphrase?: string
}

/** Resolves a hostname to all its IP addresses. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>

/** How Node makes connections. A browser makes its own; there, only `guard` has an effect, on the URL. */
export interface ConnectionOptions {
  /**
   * Refuses connections to addresses that are not public, for URLs from untrusted sources. Names are resolved and
   * checked, and the connection goes to the checked address. `{}` has no exceptions. Default: no guard.
   */
  readonly guard?: UrlGuardOptions | undefined
  /** Resolves names for the guard. Default: the resolver of the system. */
  readonly resolveHost?: ResolveHost | undefined
  /** TLS certificates. Default: those of the system. */
  readonly tls?: TlsOptions | undefined
  /**
   * URL of the proxy, or `false` for none. Default: `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` of the
   * environment; loopback addresses are reached directly.
   */
  readonly proxy?: string | false | undefined
}

/** Environment variables that name a proxy, in order of precedence. */
export const PROXY_VARIABLES: Readonly<Record<'https:' | 'http:', readonly string[]>> = {
  'https:': ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
  'http:': ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'],
}

/** Whether connections need no guard, proxy or TLS options, so that their code is not loaded. */
export function usesDirectConnections({ guard, tls, proxy }: ConnectionOptions): boolean {
  if (guard !== undefined || tls !== undefined) return false
  if (proxy !== undefined) return proxy === false
  const names = [...PROXY_VARIABLES['https:'], ...PROXY_VARIABLES['http:']]
  return names.every((name) => (process.env[name] ?? '') === '')
}
