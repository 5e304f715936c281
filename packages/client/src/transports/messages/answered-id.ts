import type { RequestId } from '../../jsonrpc/jsonrpc.ts'

/** Servers write an answer's id either before the result or after it; both places are next to an end of the line. */
const ID_FIRST =
  /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+|"[^"\\]*")\s*,\s*"(?:result|error)"/
const ID_LAST = /,\s*"id"\s*:\s*(\d+|"[^"\\]*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/
const ANSWER_FIRST = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"(?:result|error)"/

/** The beginning and the end of a message. */
interface MessageEnds {
  readonly head: string
  readonly tail: string
}

/** The request that a message too large to read is the answer to, where that can be told for certain. */
export function answeredId({ head, tail }: MessageEnds): RequestId | undefined {
  const match = ID_FIRST.exec(head) ?? (ANSWER_FIRST.test(head) ? ID_LAST.exec(tail) : null)
  const id = match?.[1]
  if (id === undefined) return undefined
  return id.startsWith('"') ? id.slice(1, -1) : Number(id)
}
