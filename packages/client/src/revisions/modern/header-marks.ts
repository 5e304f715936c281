/** Schema keyword that requires an argument to be repeated in a header. */
export const HEADER_MARK = 'x-mcp-header'

/** Deeper schemas are not searched. */
export const MAX_SCHEMA_DEPTH = 64

/** Whether the keyword occurs anywhere in a value. A quick check that also matches data and property names. */
export function mayBeMarked(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth > MAX_SCHEMA_DEPTH) return true
  const members = value as Readonly<Record<string, unknown>>
  for (const key in members) {
    if (key === HEADER_MARK || mayBeMarked(members[key], depth + 1)) return true
  }
  return false
}
