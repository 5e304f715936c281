import type { RequestId } from '../../jsonrpc/jsonrpc.ts'

/** Servers write the id of an answer before or after the result, so it is near the beginning or the end. */
const ID_FIRST =
  /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+|"[^"\\]*")\s*,\s*"(?:result|error)"/
const ID_LAST = /,\s*"id"\s*:\s*(\d+|"[^"\\]*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/
const ANSWER_FIRST = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"(?:result|error)"/

/** The beginning and the end of a message. */
interface MessageEnds {
  readonly head: string
  readonly tail: string
}

/** The request that a message too large to parse answers, if it can be determined with certainty. */
export function answeredId({ head, tail }: MessageEnds): RequestId | undefined {
  const match = ID_FIRST.exec(head) ?? (ANSWER_FIRST.test(head) ? ID_LAST.exec(tail) : null)
  const id = match?.[1]
  if (id === undefined) return undefined
  return id.startsWith('"') ? id.slice(1, -1) : Number(id)
}
