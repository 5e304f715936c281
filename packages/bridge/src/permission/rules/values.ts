import { isJsonObject } from '@toolbridge/client/internal'
/** A scalar in the arguments of a call, with its key. */
export interface Leaf {
  readonly key: string
  readonly value: unknown
}

/** Options of `leavesOf`. */
export interface LeafOptions {
  /** Strings that match are parsed as JSON, as some servers do where they expect a list or an object. Default: none. */
  readonly opens?: RegExp
  /** Property names count as leaves: a list of files may be an object keyed by path. Default: false. */
  readonly names?: boolean
}

/** Matches strings that contain a JSON list or object. */
export const anyJson: RegExp = /^\s*[[{]/

/** The values at a path; `*` matches one segment, `**` any number. Does not search lists or JSON strings. */
export function valuesAt(root: unknown, path: readonly string[]): readonly unknown[] {
  return find(root, path, undefined)
}

/** Like `valuesAt`, but searches the items of lists and parses JSON strings. */
export function valuesAround(root: unknown, path: readonly string[]): readonly unknown[] {
  return find(root, path, anyJson)
}

function find(root: unknown, path: readonly string[], opens: RegExp | undefined): readonly unknown[] {
  const [step, ...rest] = path
  if (step === undefined) return [root]
  if (step === '**') return everyValueIn(root, opens).flatMap((value) => find(value, rest, opens))
  const content = contentOf(root, opens)
  if (content === undefined) return []
  if (step === '*') return Object.values(content).flatMap((value) => find(value, rest, opens))
  const own: unknown = Object.hasOwn(content, step) ? Reflect.get(content, step) : undefined
  if (own !== undefined) return find(own, rest, opens)
  return opens !== undefined && Array.isArray(content)
    ? content.flatMap((item: unknown) => find(item, path, opens))
    : []
}

/** A value and everything nested in it; cycles are visited once. */
function everyValueIn(root: unknown, opens: RegExp | undefined): readonly unknown[] {
  const found = new Set([root])
  for (const value of found) {
    const content = contentOf(value, opens)
    if (content === undefined) continue
    for (const inner of [content, ...Object.values(content)]) found.add(inner)
  }
  return [...found]
}

/** All scalars in a value, at any depth. */
export function leavesOf(root: unknown, { opens, names = false }: LeafOptions = {}): readonly Leaf[] {
  const leaves: Leaf[] = []
  const seen = new Set<object>()
  const waiting: Leaf[] = [{ key: '', value: root }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { key } = next
    const value = asSent(next.value)
    const content = contentOf(value, opens)
    if (content === undefined || typeof value === 'string') leaves.push({ key, value })
    if (content === undefined || seen.size === seen.add(content).size) continue
    const isList = Array.isArray(content)
    for (const [name, inner] of Object.entries(content)) {
      if (names && !isList) leaves.push({ key: name, value: name })
      waiting.push({ key: isList ? key : name, value: inner })
    }
  }
  return leaves
}

/** The value if it is a list or object, or the list or object in a JSON string. */
function contentOf(given: unknown, opens: RegExp | undefined): object | undefined {
  const value = asSent(given)
  if (typeof value === 'string') return opens?.test(value) === true ? parsed(value) : undefined
  return typeof value === 'object' && value !== null ? value : undefined
}

/** The value as it is serialized: a URL or a date becomes a string. */
function asSent(value: unknown): unknown {
  const isObject = typeof value === 'object' && value !== null
  return isObject && 'toJSON' in value && typeof value.toJSON === 'function' ? value.toJSON() : value
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** JSON with sorted keys, so that equal values have equal text. */
export function canonicalJson(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) => (isJsonObject(inner) ? sortedByName(inner) : inner)) ??
    'null'
  )
}

function sortedByName(value: object): object {
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
