/** Option key that allows `http:` URLs. A symbol, so that no configuration file can set it. */
export const allowInsecureHttp: unique symbol = Symbol('allowInsecureHttp')

/**
 * Option key that allows this machine and private networks, for development and for internal servers. Link-local
 * addresses (used by cloud metadata services), multicast and reserved addresses stay blocked.
 */
export const allowLoopback: unique symbol = Symbol('allowLoopback')

/** Exceptions of the guard, beyond public https URLs. */
export interface UrlGuardOptions {
  /** Hostnames other than the issuer's that an authorization server may use, such as `auth.example.com`. Default: none. */
  readonly allowedHosts?: readonly string[]
  /** Allows `http:` URLs. Default: false. */
  readonly [allowInsecureHttp]?: boolean
  /** Allows this machine and private networks. Default: false. */
  readonly [allowLoopback]?: boolean
}
