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
const FLOW_ITEM = /\s*("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,[\]{}"'#&*!|>%@`\s][^,[\]{}#]*?)\s*(?:,|$)/y
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
  const inner = /^\[(.*)\](?:\s+#.*)?$/.exec(text)?.[1]?.trim()
  if (inner === undefined) return refuse('a list in brackets does not end on its line')
  const items: FrontmatterValue[] = []
  let position = 0
  while (position < inner.length) {
    FLOW_ITEM.lastIndex = position
    const item = FLOW_ITEM.exec(inner)?.[1]
    if (item === undefined) return refuse('a list in brackets has an entry that is not a plain value')
    items.push(/^["']/.test(item) ? parseQuoted(item) : parsePlain(item))
    position = FLOW_ITEM.lastIndex
  }
  return items
}

/** Parses a plain scalar: a string, number, boolean or null. */
export function parsePlain(text: string): FrontmatterValue {
  const plain = text.replace(/\s+#.*$/, '').trimEnd()
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
