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

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/

/**
 * The caller's headers with names in lower case, without the reserved ones. Throws a `TypeError` for an invalid name or
 * value; the message does not contain the value, which may be a secret.
 */
export function callerHeaders(headers: HttpHeaders | undefined): HttpHeaders {
  if (headers === undefined) return {}
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  for (const [name, value] of entries) {
    if (!NAME.test(name)) throw new TypeError(`${JSON.stringify(name)} is not a valid name of an HTTP header`)
    if (!VALUE.test(value))
      throw new TypeError(`the value of the header ${name} contains characters that HTTP does not allow`)
  }
  return Object.fromEntries(entries.filter(([name]) => !RESERVED.has(name) && !name.startsWith('mcp-param-')))
}
