import type { UrlGuardOptions } from '../url-guard/options.ts'

/** Whom to trust and who one is, beyond what the system knows. Texts in PEM. */
export interface TlsOptions {
  /** Certificate authorities that are trusted beside the usual ones. */
  readonly ca?: string | readonly string[]
  /** The certificate that a server may ask for, and its key. */
  readonly cert?: string
  readonly key?: string
  /** Opens a key that is encrypted. */
  readonly passphrase?: string
}

/** Finds all addresses of a name. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>

/** How connections are made where Node makes them; a browser decides on its own. */
export interface ConnectionOptions {
  /**
   * Opens only public addresses, for hosts that take addresses from strangers: what a name resolves to is checked, and
   * the connection goes to what was checked. `{}` allows nothing beyond that. Off if left out.
   */
  readonly guard?: UrlGuardOptions | undefined
  /** Looks names up for the guard instead of the system. */
  readonly resolveHost?: ResolveHost | undefined
  readonly tls?: TlsOptions | undefined
  /**
   * The proxy to go through, or `false` for none. If left out, `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` decide, and
   * this machine itself is reached directly.
   */
  readonly proxy?: string | false | undefined
}

/** What a connection is told by the environment, in the order in which it is asked. */
export const PROXY_VARIABLES: Readonly<Record<'https:' | 'http:', readonly string[]>> = {
  'https:': ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
  'http:': ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'],
}

/** Whether connections are made in the plain way, for which nothing has to be loaded. */
export function usesDirectConnections({ guard, tls, proxy }: ConnectionOptions): boolean {
  if (guard !== undefined || tls !== undefined) return false
  if (proxy !== undefined) return proxy === false
  const names = [...PROXY_VARIABLES['https:'], ...PROXY_VARIABLES['http:']]
  return names.every((name) => (process.env[name] ?? '') === '')
}
