import { isTooDeep, MAX_DEPTH } from '../jsonrpc/depth.ts'
import { isJsonObject, type JsonObject } from '../jsonrpc/json.ts'
import { McpError, McpErrorCode, malformedError } from '../jsonrpc/jsonrpc.ts'
import type { RequestOptions } from '../jsonrpc/transport.ts'
import { printable } from '../text/printable.ts'

/** A paginated list of a server. */
export interface PagedList<Item> {
  readonly method: string
  /** The result member that contains the page. */
  readonly key: string
  /** The entries' name in messages. */
  readonly what: string
  readonly params?: object
  readonly isItem: (value: unknown) => value is Item
  /** Values for members that an entry lacks. */
  readonly defaults?: JsonObject
}

/** Reads pages. */
export interface PageSource {
  /** Maximum number of pages. Default: 1,000. */
  readonly maxPages: number | undefined
  request(method: string, params: object, options: RequestOptions | undefined): Promise<unknown>
  warn(message: string): void
}

/** Protects against servers that paginate without end. */
const DEFAULT_MAX_PAGES = 1_000

/**
 * Reads all pages of a list; the first may be given. A repeated cursor or too many pages end the list with a warning. If
 * the server refuses its own cursor, because the list has changed, the list is read once more from the start.
 */
export async function listAll<Item>(
  source: PageSource,
  list: PagedList<Item>,
  options?: RequestOptions,
  firstPage?: unknown,
): Promise<readonly Item[]> {
  const first = firstPage ?? (await source.request(list.method, { ...list.params }, options))
  return followPages(source, list, options, first, true)
}

async function followPages<Item>(
  source: PageSource,
  list: PagedList<Item>,
  options: RequestOptions | undefined,
  first: unknown,
  mayRestart: boolean,
): Promise<readonly Item[]> {
  const pages = [readItems(source, list, first)]
  const seen = new Set<string | undefined>([undefined])
  let cursor = cursorOf(first)
  try {
    while (cursor !== undefined && mayFollow(source, list, cursor, seen)) {
      seen.add(cursor)
      const result = await source.request(list.method, { ...list.params, cursor }, options)
      pages.push(readItems(source, list, result))
      cursor = cursorOf(result)
    }
  } catch (error) {
    if (!mayRestart || !isRefusedCursor(error)) throw error
    source.warn(`the server refused its own cursor; the list of ${list.what} was read again from the start`)
    const again = await source.request(list.method, { ...list.params }, options)
    return followPages(source, list, options, again, false)
  }
  const [only = []] = pages
  return pages.length === 1 ? only : pages.flat()
}

function readItems<Item>(source: PageSource, list: PagedList<Item>, result: unknown): readonly Item[] {
  const { method, key, what, isItem, defaults = {} } = list
  const entries = isJsonObject(result) ? result[key] : undefined
  if (!Array.isArray(entries)) throw malformedError(`the server's answer to ${method} has no list of ${what}`)
  const shallow = withoutDeep(source, what, entries)
  if (shallow.every(isItem)) return shallow
  const usable = shallow.map((entry) => (isItem(entry) ? entry : completed(entry, defaults))).filter(isItem)
  const dropped = shallow.length - usable.length
  if (dropped > 0) source.warn(`${dropped} unusable entries of the list of ${what} were dropped`)
  return usable
}

/** Leaves out entries that recursive code could not handle. */
function withoutDeep(source: PageSource, what: string, entries: readonly unknown[]): readonly unknown[] {
  const deep = new Set(entries.filter((entry) => isTooDeep(entry)))
  if (deep.size === 0) return entries
  const names = [...deep].slice(0, 3).map(nameOf).join(', ')
  source.warn(
    `${deep.size} of its ${what} are nested deeper than ${MAX_DEPTH} levels and were left out: ${names}`,
  )
  return entries.filter((entry) => !deep.has(entry))
}

function nameOf(entry: unknown): string {
  const name = isJsonObject(entry) ? entry['name'] : undefined
  return typeof name === 'string' ? `"${printable(name.slice(0, 100))}"` : 'an entry without a name'
}

function completed(entry: unknown, defaults: JsonObject): unknown {
  if (!isJsonObject(entry)) return entry
  const members = Object.entries(defaults).map(([name, value]) => [name, entry[name] ?? value] as const)
  return { ...entry, ...Object.fromEntries(members) }
}

/** An empty string is a valid cursor. */
function cursorOf(result: unknown): string | undefined {
  const nextCursor = isJsonObject(result) ? result['nextCursor'] : undefined
  return typeof nextCursor === 'string' ? nextCursor : undefined
}

function mayFollow(
  source: PageSource,
  { what }: { readonly what: string },
  cursor: string,
  seen: ReadonlySet<string | undefined>,
): boolean {
  const { maxPages = DEFAULT_MAX_PAGES } = source
  const isRepeated = seen.has(cursor)
  if (!isRepeated && seen.size < maxPages) return true
  const why = isRepeated ? 'the server repeats a cursor' : `the list has more than ${maxPages} pages`
  source.warn(`${why}; the list of ${what} ends there`)
  return false
}

function isRefusedCursor(error: unknown): boolean {
  return error instanceof McpError && error.kind === 'peer' && error.code === McpErrorCode.InvalidParams
}
