import { McpError, McpErrorCode, type McpErrorKind } from '../../jsonrpc/jsonrpc.ts'

/** Close codes with a specific meaning: of RFC 6455, of the IANA registry, and 44xx as many servers use them. */
const KINDS: ReadonlyMap<number, McpErrorKind> = new Map([
  [1002, 'malformed'],
  [1003, 'malformed'],
  [1007, 'malformed'],
  [1008, 'unauthorized'],
  [1010, 'unsupported'],
  [3000, 'unauthorized'],
  [3003, 'unauthorized'],
  [3008, 'timeout'],
  [4401, 'unauthorized'],
  [4403, 'unauthorized'],
])

/** The error for a closed connection. The server's reason text is left out: it may repeat what it received. */
export function closeError(urlOrigin: string, code: number): McpError {
  const how = code === 1006 ? 'broke' : `was closed by the server (code ${code})`
  const kind = KINDS.get(code) ?? 'closed'
  const data = { closeCode: code, effect: 'unknown' }
  return new McpError(`the connection to ${urlOrigin} ${how}`, {
    kind,
    code: McpErrorCode.ConnectionClosed,
    data,
  })
}
