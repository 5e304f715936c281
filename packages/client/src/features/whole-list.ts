import { isJsonObject } from '../jsonrpc/json.ts'
import type { PagedList } from './pages.ts'

/**
 * The entries of a page that is the whole list and in order, as most are; undefined if there is more to it. Checks the
 * shape by hand: a schema library would cost more than the rest of the call.
 */
export function wholeList<Item>(
  { key, isItem }: PagedList<Item>,
  result: unknown,
): readonly Item[] | undefined {
  if (!isJsonObject(result) || typeof result['nextCursor'] === 'string') return undefined
  const entries = result[key]
  return Array.isArray(entries) && entries.every(isItem) ? entries : undefined
}
