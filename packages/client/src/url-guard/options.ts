/** The key of an option that lets `http:` pass. A symbol, so that no configuration file can set it. */
export const allowInsecureHttp: unique symbol = Symbol('allowInsecureHttp')

/**
 * The key of an option that lets this machine and private networks pass, for development and for companies whose
 * servers are inside. What no server has any business at stays closed: link-local addresses, where clouds keep their
 * metadata, multicast and reserved ones.
 */
export const allowLoopback: unique symbol = Symbol('allowLoopback')

/** What the guard lets pass beyond public https addresses. */
export interface UrlGuardOptions {
  /** Hosts beside the issuer's own that an authorization server may use, compared whole: `auth.example.com`. */
  readonly allowedHosts?: readonly string[]
  /** Only `true` counts. */
  readonly [allowInsecureHttp]?: boolean
  /** Only `true` counts. */
  readonly [allowLoopback]?: boolean
}
