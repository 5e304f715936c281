import { isTooDeep } from '../../jsonrpc/depth.ts'

/** Schema keyword that requires an argument to be repeated in a header. */
export const HEADER_MARK = 'x-mcp-header'

/** Deeper schemas are not searched. */
export const MAX_SCHEMA_DEPTH = 64

/** Whether the keyword occurs anywhere in a value. A quick check that also matches data and property names. */
export function mayBeMarked(value: unknown): boolean {
  return isTooDeep(value, MAX_SCHEMA_DEPTH + 1, HEADER_MARK)
}
