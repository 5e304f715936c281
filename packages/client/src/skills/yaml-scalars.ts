import { malformedError } from '../jsonrpc/jsonrpc.ts'

/** A frontmatter value. */
export type FrontmatterValue =
  | string
  | number
  | boolean
  | null
  | readonly FrontmatterValue[]
  | { readonly [key: string]: FrontmatterValue }

const QUOTED = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')(?:\s+#.*)?$/
const PLAIN_ITEM = /^[^,[\]{}"'#&*!|>%@`\s][^,[\]{}#]*$/
const INTEGER = /^[-+]?\d+$/
const DECIMAL = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/
const WORDS: Readonly<Record<string, FrontmatterValue>> = {
  '~': null,
  null: null,
  Null: null,
  NULL: null,
  true: true,
  True: true,
  TRUE: true,
  false: false,
  False: false,
  FALSE: false,
}

/** Throws for unsupported YAML: a guessed value must not be compared. */
export function refuse(what: string): never {
  throw malformedError(`the frontmatter cannot be compared: ${what}`)
}

/** Parses a value on the line of its key: a plain or quoted scalar, or a list in brackets. */
export function parseInline(text: string): FrontmatterValue {
  if (text.startsWith('"') || text.startsWith("'")) return parseQuoted(text)
  if (text.startsWith('[')) return parseFlowList(text)
  return parsePlain(text)
}

function parseQuoted(text: string): string {
  const quoted = QUOTED.exec(text)?.[1]
  if (quoted === undefined) return refuse('a quoted string is not terminated or is followed by text')
  if (quoted.startsWith("'")) return quoted.slice(1, -1).replaceAll("''", "'")
  try {
    const value: unknown = JSON.parse(quoted)
    return typeof value === 'string' ? value : refuse('a quoted value is not a string')
  } catch {
    return refuse('a quoted string has an unknown escape')
  }
}

function parseFlowList(text: string): readonly FrontmatterValue[] {
  const end = text.endsWith(']') ? text.length - 1 : Array.from(text.matchAll(/\](?=\s+#)/g)).at(-1)?.index
  if (end === undefined) return refuse('a list in brackets does not end on its line')
  const list = text.slice(1, end).trim()
  const items: FrontmatterValue[] = []
  for (let position = 0; position < list.length; ) {
    const comma = list.indexOf(',', endOfQuoted(list, position))
    const itemEnd = comma === -1 ? list.length : comma
    items.push(parseItem(list.slice(position, itemEnd).trim()))
    position = itemEnd + 1
  }
  return items
}

/** Where a quoted string ends that begins at the position or after spaces; the position itself if there is none. */
function endOfQuoted(text: string, position: number): number {
  const start = position + text.slice(position).search(/\S|$/)
  const quote = text[start]
  if (quote !== '"' && quote !== "'") return position
  for (let at = start + 1; at < text.length; at += 1) {
    if (quote === '"' && text[at] === '\\') at += 1
    else if (text[at] === quote && (quote === '"' || text[++at] !== quote)) return at
  }
  return text.length
}

function parseItem(text: string): FrontmatterValue {
  if (QUOTED.exec(text)?.[1] === text) return parseQuoted(text)
  return PLAIN_ITEM.test(text)
    ? parsePlain(text)
    : refuse('a list in brackets has an entry that is not a plain value')
}

/** Parses a plain scalar: a string, number, boolean or null. */
export function parsePlain(text: string): FrontmatterValue {
  const comment = text.search(/\s#/)
  const plain = (comment === -1 ? text : text.slice(0, comment)).trimEnd()
  if (/^[&*!|>%@`{}\]?,]|^-(?: |$)|: |:$/.test(plain))
    return refuse(`${JSON.stringify(plain)} is not a plain value`)
  const word = WORDS[plain]
  if (word !== undefined) return word
  return INTEGER.test(plain) || DECIMAL.test(plain) ? Number(plain) : plainText(plain)
}

/** Rejects numbers that JSON cannot represent and numbers in another base, which cannot be compared. */
function plainText(plain: string): string {
  if (/^[-+]?\.(?:inf|nan)$/i.test(plain) || /^0[xo][\da-f]+$/i.test(plain)) {
    return refuse(`${plain} is an unsupported number`)
  }
  return plain
}
