import { isJsonObject } from '@toolbridge/client/internal'
import { folded } from '../readings/folding.ts'
import { Pace, type Steps } from '../readings/steps.ts'

/** A scalar in the arguments of a call, with its key. */
export interface Leaf {
  readonly key: string
  readonly value: unknown
}

/** Options of `leavesOf`. */
export interface LeafOptions {
  /** Parses the JSON in a string, as some servers do. Undefined: the string has none. Default: never parses. */
  readonly open?: (text: string) => unknown
  /** Property names count as leaves: a list of files may be an object keyed by path. Default: false. */
  readonly names?: boolean
}

/** The values at a path. */
export interface FoundValues {
  readonly values: readonly unknown[]
  /** Whether a server may read another value, because another name differs only in case or Unicode form. */
  readonly isAmbiguous: boolean
}

/** The values at a path; `*` matches one segment, `**` any number. Does not search lists or JSON strings. */
export function* valuesAt(root: unknown, path: readonly string[]): Steps<FoundValues> {
  let isAmbiguous = false
  const values = yield* follow(root, path, undefined, (content, step) => {
    const name = folded(step)
    const isList = Array.isArray(content)
    isAmbiguous ||= !isList && Object.keys(content).some((key) => key !== step && folded(key) === name)
    return Object.hasOwn(content, step) ? [Reflect.get(content, step)] : []
  })
  return { values, isAmbiguous }
}

/**
 * Like `valuesAt`, but finds names regardless of case and Unicode form, searches the items of lists and parses JSON strings.
 */
export function* valuesAround(
  root: unknown,
  path: readonly string[],
  open: LeafOptions['open'],
): Steps<readonly unknown[]> {
  return yield* follow(root, path, open, (content, step) => {
    const found = withName(content, step)
    return found.length > 0 || !Array.isArray(content) ? found : itemsWithName(content, step, open)
  })
}

function withName(content: object, step: string): readonly unknown[] {
  if (Array.isArray(content)) return Object.hasOwn(content, step) ? [Reflect.get(content, step)] : []
  const name = folded(step)
  return Object.entries(content).flatMap(([key, value]: [string, unknown]) =>
    value !== undefined && (key === step || folded(key) === name) ? [value] : [],
  )
}

/** The values of a name in the items of a list, and of lists in it. */
function itemsWithName(
  list: readonly unknown[],
  step: string,
  open: LeafOptions['open'],
): readonly unknown[] {
  const lists = new Set([list])
  const found: unknown[] = []
  for (const each of lists) {
    for (const item of each) {
      const content = contentOf(item, open)
      const own = content === undefined ? [] : withName(content, step)
      for (const value of own) found.push(value)
      if (own.length === 0 && Array.isArray(content)) lists.add(content)
    }
  }
  return found
}

type Named = (content: object, step: string) => readonly unknown[]

/** Follows a path one step after the other, so that no value is visited twice for the same step. */
function* follow(
  root: unknown,
  path: readonly string[],
  open: LeafOptions['open'],
  named: Named,
): Steps<readonly unknown[]> {
  const pace = new Pace()
  let found = new Set([root])
  for (const step of path) {
    if (step === '**') yield* addInner(found, open)
    else {
      const next = new Set<unknown>()
      for (const value of found) {
        if (pace.isOver) yield
        const content = contentOf(value, open)
        if (content === undefined) continue
        for (const inner of step === '*' ? Object.values(content) : named(content, step)) {
          if (pace.isOver) yield
          next.add(inner)
        }
      }
      found = next
    }
  }
  return [...found].filter((value) => value !== undefined)
}

/** Adds everything nested in values; cycles are visited once. */
function* addInner(found: Set<unknown>, open: LeafOptions['open']): Steps<void> {
  const pace = new Pace()
  for (const value of found) {
    if (pace.isOver) yield
    const content = contentOf(value, open)
    if (content === undefined) continue
    found.add(content)
    for (const inner of Object.values(content)) {
      if (pace.isOver) yield
      found.add(inner)
    }
  }
}

/** All scalars in values, at any depth. A value that is in several of them is searched once. */
export function* leavesOf(
  roots: readonly unknown[],
  { open, names = false }: LeafOptions = {},
): Steps<readonly Leaf[]> {
  const pace = new Pace()
  const leaves: Leaf[] = []
  const seen = new Set<object>()
  const waiting: Iterator<Leaf>[] = [itemsOf('', roots)]
  for (let inner = waiting.at(-1); inner !== undefined; inner = waiting.at(-1)) {
    if (pace.isOver) yield
    const next = inner.next()
    if (next.done === true) {
      waiting.pop()
      continue
    }
    const { key } = next.value
    const value = asSent(next.value.value)
    if (!isContainer(value)) leaves.push({ key, value })
    const opened = typeof value === 'string' ? open?.(value) : value
    if (typeof opened === 'string') waiting.push(itemsOf(key, [opened]))
    if (!isContainer(opened) || seen.size === seen.add(opened).size) continue
    if (Array.isArray(opened)) waiting.push(itemsOf(key, opened))
    else {
      if (names) for (const name of Object.keys(opened)) leaves.push({ key: name, value: name })
      waiting.push(propertiesOf(opened))
    }
  }
  return leaves
}

function* itemsOf(key: string, list: readonly unknown[]): Generator<Leaf> {
  for (const value of list) yield { key, value }
}

function* propertiesOf(value: object): Generator<Leaf> {
  for (const [key, inner] of Object.entries(value)) yield { key, value: inner }
}

/** The value if it is a list or object, or the list or object in a JSON string. */
function contentOf(given: unknown, open: LeafOptions['open']): object | undefined {
  let value = asSent(given)
  while (typeof value === 'string') value = open?.(value)
  return isContainer(value) ? value : undefined
}

/** Returns whether a value is a list or an object. */
export function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** The value as it is serialized: a URL or a date becomes a string. */
function asSent(value: unknown): unknown {
  const isObject = typeof value === 'object' && value !== null
  return isObject && 'toJSON' in value && typeof value.toJSON === 'function' ? value.toJSON() : value
}

/** The list, object or string in a JSON text; undefined if there is none. */
export function openedJson(text: string): unknown {
  if (!/^\s*[[{"]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** How two JSON values are compared. */
export interface Comparison {
  /** Compares a scalar with the wanted one. */
  readonly isSame: (given: unknown, wanted: unknown) => boolean
  /** What has to be equal of two names. Several names may be equal: then one of their values has to be. */
  readonly nameOf: (name: string) => string
  /** Parses the JSON in a string where a list or object is wanted. Default: never. */
  readonly open?: LeafOptions['open']
}

/** Compares a JSON value with a wanted one. Takes no longer than the wanted one is large, unless names are equal. */
export function isSameJson(given: unknown, wanted: unknown, by: Comparison): boolean {
  if (!isContainer(wanted)) {
    const scalar = asSent(given)
    return !isContainer(scalar) && by.isSame(scalar, wanted)
  }
  const value = contentOf(given, by.open)
  if (value === undefined || Array.isArray(value) !== Array.isArray(wanted)) return false
  const expected = new Map(Object.entries(wanted).map(([name, inner]) => [by.nameOf(name), inner as unknown]))
  const found = new Set<string>()
  for (const name of Object.keys(value)) {
    const key = by.nameOf(name)
    if (!expected.has(key)) return false
    if (isSameJson(Reflect.get(value, name), expected.get(key), by)) found.add(key)
  }
  return found.size === expected.size
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
