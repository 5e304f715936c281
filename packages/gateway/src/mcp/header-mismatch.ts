import { isJsonObject } from '@toolbridge/client/internal'
import { refusal } from './refusal.ts'

/** The code of the revision 2026-07-28 for headers that disagree with the body. */
const headerMismatch = -32_020

/** The parameter that `Mcp-Name` repeats. */
const namedBy: ReadonlyMap<unknown, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
])

/**
 * Refuses a request of the legacy era whose headers name another method or tool than its body: what is between the host and the
 * gateway may have let it pass by its headers. Hosts of this era need not send them. Undefined if they agree.
 */
export function refusedHeaders({ headers }: Request, message: unknown): Response | undefined {
  const { method, params, id } = isJsonObject(message) ? message : {}
  const [givenMethod, givenName] = [headers.get('mcp-method'), headers.get('mcp-name')]
  const field = namedBy.get(method)
  const name = field !== undefined && isJsonObject(params) ? params[field] : undefined
  const disagrees =
    (givenMethod !== null && givenMethod !== method) || (givenName !== null && !isNamed(givenName, name))
  if (!disagrees) return undefined
  const text = 'Bad Request: the header Mcp-Method or Mcp-Name differs from the body; send what the body says'
  return refusal(400, headerMismatch, text, id)
}

/** A value that looks like Base64 is always meant as such. */
function isNamed(header: string, name: unknown): boolean {
  if (typeof name !== 'string') return false
  const encoded = `=?base64?${Buffer.from(name).toString('base64')}?=`
  return header === encoded || (header === name && !name.startsWith('=?base64?'))
}
