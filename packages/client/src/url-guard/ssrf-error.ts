import { McpError, McpErrorCode } from '../jsonrpc/jsonrpc.ts'

/** What an address belongs to that strangers may not send anybody to. */
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
  /** An IPv6 address that only wraps an IPv4 address, in a form that nobody needs any more. */
  | 'embedded_ipv4'

/** Why an address was refused. */
export type SsrfReason =
  | BlockedRange
  | 'invalid_url'
  | 'invalid_host'
  | 'userinfo'
  | 'scheme'
  | 'insecure_http'
  /** A name that only means something inside a network, such as `db`, `printer.local` or `api.internal`. */
  | 'local_name'
  | 'host_not_allowed'

/** An address was not opened because of where it leads. Nothing was sent. */
export class McpSsrfError extends McpError {
  override readonly name = 'McpSsrfError'
  readonly reason: SsrfReason
  /** The address without user, query and fragment; empty if it cannot be read. */
  readonly url: string

  constructor(reason: SsrfReason, url: URL | undefined) {
    const shown = url === undefined ? '' : withoutSecrets(url)
    super(`${subject(url)} was not opened: ${EXPLANATIONS[reason]}`, {
      kind: 'unreachable',
      code: McpErrorCode.ConnectionClosed,
      data: { effect: 'none', reason },
    })
    this.reason = reason
    this.url = shown
  }
}

/** A path may hold secrets too, so the message, which ends up in logs, names only the host. */
function subject(url: URL | undefined): string {
  if (url === undefined) return 'an address'
  return url.host === '' ? `an address of scheme ${url.protocol}` : `${url.protocol}//${url.host}`
}

function withoutSecrets({ protocol, host, pathname }: URL): string {
  return host === '' ? protocol : `${protocol}//${host}${pathname}`
}

const TELL_OPERATOR = 'have whoever runs the server publish a public address'

const EXPLANATIONS: Readonly<Record<SsrfReason, string>> = {
  unspecified: inRange('an unspecified address'),
  loopback: `it is this machine itself; ${TELL_OPERATOR}, or allow it with [allowLoopback] for development`,
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
  invalid_url: 'it is not an absolute URL, or holds characters that programs read differently; correct it',
  invalid_host: 'its host is no name that DNS knows; correct it',
  userinfo: 'it holds a user name or password; leave them out',
  scheme: 'only https addresses are opened; correct it',
  insecure_http: 'it is not encrypted; use https, or allow it with [allowInsecureHttp] for development',
  local_name: `its name only means something inside a network; ${TELL_OPERATOR}, or allow it with [allowLoopback]`,
  host_not_allowed: 'its host is not that of the issuer; if it is right, add it to allowedHosts',
}

function inRange(what: string): string {
  return `it is ${what}; ${TELL_OPERATOR}`
}
