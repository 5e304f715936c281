/** Header names are in lower case. */
export type HttpHeaders = Readonly<Record<string, string>>

/** What the protocol and HTTP itself need; nobody else sets these. */
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
 * A host's own headers with their names in lower case, without those that are not the host's to set. Throws a
 * `TypeError` that names a header which cannot be sent, but not its value: that may be a secret.
 */
export function callerHeaders(headers: HttpHeaders | undefined): HttpHeaders {
  if (headers === undefined) return {}
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  for (const [name, value] of entries) {
    if (!NAME.test(name)) throw new TypeError(`${JSON.stringify(name)} is not a name for an HTTP header`)
    if (!VALUE.test(value))
      throw new TypeError(`the value of the header ${name} has characters that HTTP does not allow`)
  }
  return Object.fromEntries(entries.filter(([name]) => !RESERVED.has(name) && !name.startsWith('mcp-param-')))
}
