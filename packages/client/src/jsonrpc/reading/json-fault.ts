import { printable } from '../../text/printable.ts'
import { MAX_DEPTH } from '../depth.ts'
import { code, endOfString } from './json-text.ts'
import type { KnownFields } from './known-fields.ts'

/** Values and keys in one text. Validating them takes about a microsecond each, and several if their keys are all different. */
const MAX_VALUES = 100_000

/** Members of one object: those of a large one are kept in a hash table, which costs ten times as much. */
const MAX_MEMBERS = 10_000

/** Characters of a key: errors quote it. */
const MAX_KEY_LENGTH = 65_536

/** Why a JSON text is not read. */
export interface JsonFault {
  /** Says what to change. */
  readonly message: string
  /** How many objects and arrays are around the place. */
  readonly depth: number
}

/** What a JSON text may consist of. */
export interface JsonLimits {
  /** The fields of the document. Default: any. */
  readonly known?: KnownFields
  /** Values and keys. Default: 100,000. */
  readonly maxValues?: number
}

/**
 * Returns why a JSON text of another program must not be read: other readers would understand it differently, because it repeats
 * a key or has one that differs from a known field in case only, or reading it would take too long. Undefined if it may be read, or
 * is no JSON at all. Takes linear time and looks at no value, so that it comes before `JSON.parse`.
 */
export function jsonFault(text: string, limits: JsonLimits = {}): JsonFault | undefined {
  return new Scan(text, limits).fault()
}

/** An object or array that is open at the place of a scan. */
interface Level {
  readonly isObject: boolean
  /** Of an object, or of the entries of an array. */
  readonly known: KnownFields | undefined
  /** The keys so far: few are compared faster in a list. */
  keys: string[] | Set<string> | undefined
}

const FEW = 8

class Scan {
  readonly #text: string
  readonly #maxValues: number
  readonly #outer: (Level | undefined)[] = []
  #level: Level | undefined
  #isKeyNext = false
  #values = 0
  /** What is known of the value that comes next. */
  #next: KnownFields | undefined
  #problem: string | undefined

  constructor(text: string, { known, maxValues = MAX_VALUES }: JsonLimits) {
    this.#text = text
    this.#maxValues = maxValues
    this.#next = known
  }

  fault(): JsonFault | undefined {
    const text = this.#text
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      if (unit === code.quote) at = this.#skipString(at)
      else if (unit === code.comma) this.#continue()
      else if (unit === code.colon) this.#isKeyNext = false
      else if (unit === code.openObject || unit === code.openArray) this.#open(unit === code.openObject)
      else if (unit === code.closeObject || unit === code.closeArray) this.#close()
      if (this.#problem !== undefined) return { message: this.#problem, depth: this.#outer.length }
    }
    return undefined
  }

  #open(isObject: boolean): void {
    this.#count()
    if (this.#outer.length === MAX_DEPTH)
      this.#problem = `the request is nested deeper than ${MAX_DEPTH} levels`
    this.#outer.push(this.#level)
    this.#level = { isObject, known: this.#next, keys: undefined }
    this.#isKeyNext = isObject
    if (isObject) this.#next = undefined
  }

  #close(): void {
    this.#level = this.#outer.pop()
    this.#isKeyNext = false
  }

  #continue(): void {
    this.#count()
    const level = this.#level
    if (level === undefined) return
    this.#isKeyNext = level.isObject
    this.#next = level.isObject ? undefined : level.known
  }

  #count(): void {
    this.#values++
    if (this.#values > this.#maxValues) this.#problem = tooMany('values', this.#maxValues)
  }

  /** Returns the index of the closing quote. */
  #skipString(start: number): number {
    const end = endOfString(this.#text, start)
    if (this.#isKeyNext) this.#key(start, end)
    else if (end - start > (this.#next?.maxLength ?? Number.POSITIVE_INFINITY)) this.#problem = tooLong
    return end
  }

  #key(start: number, end: number): void {
    this.#count()
    const level = this.#level
    const key = textOf(this.#text, start, end)
    if (level === undefined || key === undefined) return
    this.#problem ??= key.length > MAX_KEY_LENGTH ? tooLong : badKey(level, key)
    this.#next = level.known?.of(key)
  }
}

/** The string between two quotes. A half of a character is read as other programs do that cannot represent it. */
function textOf(text: string, start: number, end: number): string | undefined {
  const raw = text.slice(start + 1, end)
  if (!raw.includes('\\')) return raw
  try {
    const key: unknown = JSON.parse(`"${raw}"`)
    return typeof key === 'string' ? key.replaceAll(/\p{Surrogate}/gu, '\ufffd') : undefined
  } catch {
    return undefined
  }
}

function badKey(level: Level, key: string): string | undefined {
  return repeated(level, key) ?? misspelled(level.known, key)
}

function repeated(level: Level, key: string): string | undefined {
  if (key === '__proto__') return 'the name "__proto__" cannot be used'
  const { keys } = level
  if (keys === undefined) level.keys = [key]
  else if (Array.isArray(keys)) {
    if (keys.includes(key)) return repeatedKey(key)
    keys.push(key)
    if (keys.length > FEW) level.keys = new Set(keys)
  } else {
    if (keys.has(key)) return repeatedKey(key)
    keys.add(key)
    if (keys.size > MAX_MEMBERS) return tooMany('members in one object', MAX_MEMBERS)
  }
  return undefined
}

function misspelled(known: KnownFields | undefined, key: string): string | undefined {
  const field = known?.meantBy(key)
  if (field === undefined) return undefined
  return `the request has the key ${quoted(key)}, which differs from "${field}" in case only; write "${field}"`
}

function repeatedKey(key: string): string {
  return `the request has the key ${quoted(key)} twice in one object; send it once`
}

function quoted(key: string): string {
  return JSON.stringify(printable(key.slice(0, 200), { maxLength: 60 }))
}

function tooMany(what: string, max: number): string {
  return `the request has more than ${max.toLocaleString('en')} ${what}; send fewer at a time, or all as one text`
}

const tooLong = 'a name in the request is too long; shorten it'
