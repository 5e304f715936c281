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
  readonly resolve?: ResolveHost | undefined
  readonly tls?: TlsOptions | undefined
  /**
   * The proxy to go through, or `false` for none. If left out, `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` decide, and
   * this machine itself is reached directly.
   */
  readonly proxy?: string | false | undefined
}
