/** HTTP headers with names in lower case. */
export type HttpHeaders = Readonly<Record<string, string>>

/** Set by HTTP or the protocol only. */
const RESERVED: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'host',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'transfer-encoding',
])

const NAME = /^[\w!#$%&'*+\-.^`|~]+$/
const VALUE = /^[\t -~\x80-\xff]*$/

/**
 * The caller's headers with names in lower case, without the reserved ones. Throws a `TypeError` for an invalid name or
 * value; the message does not contain the value, which may be a secret.
 */
export function callerHeaders(headers: HttpHeaders | undefined): HttpHeaders {
  if (headers === undefined) return {}
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  for (const [name, value] of entries) {
    if (!NAME.test(name)) throw new TypeError(`invalid header name ${JSON.stringify(name)}`)
    if (!VALUE.test(value)) throw new TypeError(`invalid value of the header ${name}`)
  }
  return Object.fromEntries(entries.filter(([name]) => !RESERVED.has(name) && !name.startsWith('mcp-param-')))
}
