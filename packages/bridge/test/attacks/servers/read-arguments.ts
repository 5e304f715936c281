/** How a server reads what it is sent. */
export interface Reading {
  /** The name of an argument as it is looked up. */
  readonly nameOf: (key: string) => string
  /** The path or address that a text denotes; undefined if the server rejects it. */
  readonly placeOf: (text: string) => string | undefined
  /** A word, flag or number as the server takes it; undefined if it rejects it. */
  readonly wordOf: (value: unknown) => string | undefined
  readonly flagOf: (value: unknown) => boolean | undefined
  readonly numberOf: (value: unknown) => number | undefined
}

/**
 * Everything that a call with these arguments touches: paths, addresses and values such as `force true`. Places may be in
 * lists, in objects keyed by path or with a `path`, and in JSON text. Of several arguments with one name the last counts.
 */
export function touchedBy(args: unknown, reading: Reading): readonly string[] {
  const named = new Map(Object.entries(contentOf(args)).map(([key, value]) => [reading.nameOf(key), value]))
  return [...named].flatMap(([name, value]) => touchedAs(name, value, reading))
}

function touchedAs(name: string, value: unknown, reading: Reading): readonly string[] {
  if (/^(?:paths?|files?|links|edits|url)$/.test(name)) return placesIn(value, reading)
  if (/^(?:command|cmd|script|args)$/.test(name))
    return wordsIn(value).flatMap((word) => placesIn(word, reading))
  if (/^(?:branch|to)$/.test(name)) return eachOf(value, (item) => tagged(name, reading.wordOf(item)))
  if (/^(?:force|verify)$/.test(name)) return eachOf(value, (item) => tagged(name, reading.flagOf(item)))
  if (name === 'count') return eachOf(value, (item) => tagged(name, reading.numberOf(item)))
  return name === 'options' ? touchedBy(value, reading) : []
}

function tagged(name: string, value: string | number | boolean | undefined): readonly string[] {
  return value === undefined ? [] : [`${name} ${String(value)}`]
}

/** A server that takes one value often takes a list of them, also as JSON text. */
function eachOf(value: unknown, touch: (item: unknown) => readonly string[]): readonly string[] {
  const content = typeof value === 'string' ? parsed(value) : value
  return Array.isArray(content) ? content.flatMap((item: unknown) => eachOf(item, touch)) : touch(value)
}

function placesIn(value: unknown, reading: Reading): readonly string[] {
  if (typeof value === 'string') {
    const content = parsed(value)
    if (content !== undefined) return placesIn(content, reading)
    const place = reading.placeOf(value)
    return place === undefined ? [] : [place]
  }
  if (Array.isArray(value)) return value.flatMap((item: unknown) => placesIn(item, reading))
  const entries = Object.entries(contentOf(value))
  const path = entries.findLast(([key]) => /^(?:path|file)$/.test(reading.nameOf(key)))
  if (path !== undefined) return placesIn(path[1], reading)
  return entries.flatMap(([key, inner]) => [...placesIn(key, reading), ...placesIn(inner, reading)])
}

function wordsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(wordsIn)
  return typeof value === 'string' ? value.split(/[\s'"`;|&<>()=,]+/).filter((word) => /[./]/.test(word)) : []
}

function contentOf(value: unknown): object {
  const content = typeof value === 'string' ? parsed(value) : value
  return typeof content === 'object' && content !== null ? content : {}
}

/** The list or object in a JSON text. */
function parsed(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
