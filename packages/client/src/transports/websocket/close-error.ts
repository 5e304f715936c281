import { McpError, McpErrorCode, type McpErrorKind } from '../../jsonrpc/jsonrpc.ts'

/** Codes that say more than that the connection is over: of RFC 6455, of IANA's list, and as many servers use them. */
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

/** Why an open connection ended. What the server says beside the code is not shown: it may repeat what it was sent. */
export function closeError(origin: string, code: number): McpError {
  const how = code === 1006 ? 'broke' : `was closed by the server (code ${code})`
  const kind = KINDS.get(code) ?? 'closed'
  const data = { closeCode: code, effect: 'unknown' }
  return new McpError(`the connection to ${origin} ${how}`, {
    kind,
    code: McpErrorCode.ConnectionClosed,
    data,
  })
}
