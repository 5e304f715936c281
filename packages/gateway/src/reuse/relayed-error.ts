import { McpError, type McpErrorKind } from '@toolbridge/client'
import { isJsonObject } from '@toolbridge/client/internal'

const kinds: Readonly<Record<McpErrorKind, true>> = {
  peer: true,
  timeout: true,
  closed: true,
  unreachable: true,
  unauthorized: true,
  malformed: true,
  unsupported: true,
}

/** The `data` by which a gateway tells that an error is not the server's own answer. */
export function relayedData({ kind, data }: McpError): unknown {
  return kind === 'peer' ? data : { toolbridge: { kind, ...(data === undefined ? {} : { data }) } }
}

/** The error as it was before a gateway sent it. */
export function originalError(error: unknown): unknown {
  if (!(error instanceof McpError) || error.kind !== 'peer' || !isJsonObject(error.data)) return error
  const relayed = error.data['toolbridge']
  if (!isJsonObject(relayed) || !isKind(relayed['kind'])) return error
  const { kind, data } = relayed
  return new McpError(error.message, { kind, code: error.code, data })
}

function isKind(kind: unknown): kind is McpErrorKind {
  return typeof kind === 'string' && Object.hasOwn(kinds, kind)
}
