/** The keyword by which a schema has an argument repeated in a header. */
export const HEADER_MARK = 'x-mcp-header'

/** Deeper schemas are not searched: no tool that people wrote has them. */
export const MAX_SCHEMA_DEPTH = 64

/** Whether a value may mention the keyword anywhere: a quick look, that sees it in data and in names as well. */
export function mayBeMarked(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth > MAX_SCHEMA_DEPTH) return true
  const members = value as Readonly<Record<string, unknown>>
  for (const key in members) {
    if (key === HEADER_MARK || mayBeMarked(members[key], depth + 1)) return true
  }
  return false
}
