import { isTooDeep } from '../jsonrpc/depth.ts'
import { isJsonObject } from '../jsonrpc/json.ts'
import type { PagedList } from './pages.ts'

/**
 * The entries of a page that is complete and valid, as most are; otherwise undefined. Checks the
 * shape by hand: a schema library would take longer than the rest of the call.
 */
export function wholeList<Item>(
  { key, isItem }: PagedList<Item>,
  result: unknown,
): readonly Item[] | undefined {
  if (!isJsonObject(result) || typeof result['nextCursor'] === 'string') return undefined
  const entries = result[key]
  return Array.isArray(entries) && entries.every(isItem) && !isTooDeep(entries) ? entries : undefined
}
