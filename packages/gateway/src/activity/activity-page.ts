import type { ActivityEntry, ActivityQuery, ActivityResponse } from '@toolbridge/api'
import { GatewayError } from '../errors/gateway-error.ts'

const defaultLimit = 200

/** Returns how many of the newest entries a query needs; undefined if it may need all. */
export function neededFor({ limit = defaultLimit, ...conditions }: ActivityQuery): number | undefined {
  const isConditional = Object.values(conditions).some((condition) => condition !== undefined)
  return isConditional ? undefined : limit + 1
}

/** Returns the entries that a query selects, of all entries of an owner, newest first. */
export function pageOf(entries: readonly ActivityEntry[], query: ActivityQuery): ActivityResponse {
  const { cursor, limit = defaultLimit } = query
  const after = cursor === undefined ? entries : entriesAfter(entries, cursor)
  const selected = after.filter((entry) => isSelected(entry, query))
  const page = selected.slice(0, limit)
  const last = page.at(-1)
  if (last === undefined || selected.length === page.length) return { entries: page }
  return { entries: page, next: cursorOf(last) }
}

function isSelected(
  entry: ActivityEntry,
  { server, tool, outcome, parent, from, to }: ActivityQuery,
): boolean {
  const at = Date.parse(entry.at)
  return (
    (server === undefined || entry.server === server) &&
    (tool === undefined || entry.tool === tool) &&
    (outcome === undefined || entry.outcome === outcome) &&
    (parent === undefined || entry.parent === parent) &&
    (from === undefined || at >= Date.parse(from)) &&
    (to === undefined || at < Date.parse(to))
  )
}

/** Names the last entry of a page. If the store has dropped it meanwhile, its time remains. */
function cursorOf({ at, id }: ActivityEntry): string {
  return Buffer.from(JSON.stringify([at, id])).toString('base64url')
}

function entriesAfter(entries: readonly ActivityEntry[], cursor: string): readonly ActivityEntry[] {
  const [at, id] = cursorParts(cursor)
  const index = entries.findIndex((entry) => entry.id === id)
  return index === -1 ? entries.filter((entry) => entry.at < at) : entries.slice(index + 1)
}

function cursorParts(cursor: string): readonly [string, string] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(parts) && typeof parts[0] === 'string' && typeof parts[1] === 'string')
      return [parts[0], parts[1]]
  } catch {
    // Refused below, as is JSON that is not a cursor.
  }
  const issue = { path: '/cursor', message: 'must be "next" of an earlier response' }
  throw new GatewayError('invalid_request', 'the cursor is not one of this gateway', [issue])
}
