import { McpError, McpErrorCode } from '../jsonrpc/jsonrpc.ts'

/** An address range that a server must not direct requests to. */
export type BlockedRange =
  | 'unspecified'
  | 'loopback'
  | 'private'
  | 'shared'
  | 'link_local'
  | 'metadata_service'
  | 'multicast'
  | 'broadcast'
  | 'documentation'
  | 'benchmarking'
  | 'discard'
  | 'reserved'
  /** An IPv6 address that embeds an IPv4 address in an obsolete form. */
  | 'embedded_ipv4'

/** Why a URL was refused. */
export type SsrfReason =
  | BlockedRange
  | 'invalid_url'
  | 'invalid_host'
  | 'userinfo'
  | 'scheme'
  | 'insecure_http'
  /** A name that only resolves inside a network, such as `db`, `printer.local` or `api.internal`. */
  | 'local_name'
  | 'host_not_allowed'

/** The guard refused a URL. Nothing was sent. */
export class McpSsrfError extends McpError {
  override readonly name = 'McpSsrfError'
  /** Why the URL was refused. */
  readonly reason: SsrfReason
  /** The URL without user, query and fragment; empty if it is invalid. */
  readonly url: string

  constructor(reason: SsrfReason, url: URL | undefined) {
    const shown = url === undefined ? '' : withoutSecrets(url)
    super(`${subject(url)} was refused: ${EXPLANATIONS[reason]}`, {
      kind: 'unreachable',
      code: McpErrorCode.ConnectionClosed,
      data: { effect: 'none', reason },
    })
    this.reason = reason
    this.url = shown
  }
}

/** A path may contain secrets, so the message, which ends up in logs, only names the host. */
function subject(url: URL | undefined): string {
  if (url === undefined) return 'a URL'
  return url.host === '' ? `a URL of scheme ${url.protocol}` : `${url.protocol}//${url.host}`
}

function withoutSecrets({ protocol, host, pathname }: URL): string {
  return host === '' ? protocol : `${protocol}//${host}${pathname}`
}

const TELL_OPERATOR = 'ask the operator of the server to publish a public address'

const EXPLANATIONS: Readonly<Record<SsrfReason, string>> = {
  unspecified: inRange('an unspecified address'),
  loopback: `it is this machine; ${TELL_OPERATOR}, or allow it with [allowLoopback] for development`,
  private: `it is in a private network; ${TELL_OPERATOR}, or allow it with [allowLoopback]`,
  shared: `it is inside a provider's or overlay network (100.64.0.0/10); ${TELL_OPERATOR}, or allow it with [allowLoopback]`,
  link_local: inRange('a link-local address'),
  metadata_service: inRange('the metadata service of a cloud'),
  multicast: inRange('a multicast address'),
  broadcast: inRange('the broadcast address'),
  documentation: inRange('an address for documentation'),
  benchmarking: inRange('an address for benchmarks'),
  discard: inRange('an address that discards everything'),
  reserved: inRange('a reserved address'),
  embedded_ipv4: inRange('an IPv4 address inside an IPv6 address'),
  invalid_url:
    'it is not an absolute URL, or contains characters that URL parsers treat differently; correct it',
  invalid_host: 'its host is not a valid hostname; correct it',
  userinfo: 'it contains a user name or password; remove them',
  scheme: 'only https URLs are allowed; correct it',
  insecure_http: 'it is not encrypted; use https, or allow it with [allowInsecureHttp] for development',
  local_name: `its name only resolves inside a network; ${TELL_OPERATOR}, or allow it with [allowLoopback]`,
  host_not_allowed: 'its hostname is not that of the issuer; if it is correct, add it to allowedHosts',
}

function inRange(what: string): string {
  return `it is ${what}; ${TELL_OPERATOR}`
}
