import { withoutEnding } from '../text/parts.ts'
import { type FrontmatterValue, parseInline, parsePlain, refuse } from './yaml-scalars.ts'

export type { FrontmatterValue } from './yaml-scalars.ts'

/** A parsed SKILL.md. */
export interface SkillDocument {
  /** The parsed frontmatter. */
  readonly frontmatter: Readonly<Record<string, FrontmatterValue>>
  /** The text after the frontmatter. */
  readonly body: string
}

interface Line {
  readonly indent: number
  readonly text: string
}

const KEY = /^(?:([A-Za-z_][\w.-]*)|"([^"\\]*)"|'([^']*)')\s*:(?:\s([^]*))?$/
const OPENING = /^\uFEFF?---[ \t]*\r?\n/
const CLOSING = /(?:^|\r?\n)---[ \t]*(?:\r?\n|$)/
const BLOCK_HEADER = /^([|>])([-+]?)(?:\s+#.*)?$/

/** Whitespace on which YAML parsers disagree: tabs, lone carriage returns, Unicode separators, control characters. */
// oxlint-disable-next-line no-control-regex -- it matches control characters
const UNUSUAL_SPACE = /[^\S \r\n]|\r(?!\n)|[\u0000-\u0009\u000B\u000C\u000E-\u001F\u007F-\u009F]/

/**
 * Parses a SKILL.md. Supports the YAML that frontmatter uses: nested keys, lists, plain, quoted and block scalars.
 * Throws for everything else (anchors, tags, braces, multi-line plain scalars), because a wrong value could pass
 * verification.
 */
export function parseSkillDocument(text: string): SkillDocument {
  const [opening] = OPENING.exec(text) ?? refuse('the file does not start with frontmatter')
  const rest = text.slice(opening.length)
  const closing = CLOSING.exec(rest) ?? refuse('the file does not start with frontmatter')
  const source = rest.slice(0, closing.index)
  if (UNUSUAL_SPACE.test(source)) return refuse('it contains control characters or unusual whitespace')
  const lines = source.split(/\r?\n/)
  return {
    frontmatter: new FrontmatterReader(lines).read(),
    body: rest.slice(closing.index + closing[0].length),
  }
}

/** Reads line by line. `#position` is the next unread line. */
class FrontmatterReader {
  readonly #lines: readonly string[]
  #position = 0

  constructor(lines: readonly string[]) {
    this.#lines = lines
  }

  read(): Readonly<Record<string, FrontmatterValue>> {
    const first = this.#peek()
    if (first === undefined) return {}
    const map = this.#readMap(first.indent)
    return this.#peek() === undefined ? map : refuse('inconsistent indentation')
  }

  #readMap(indent: number): Readonly<Record<string, FrontmatterValue>> {
    const entries = new Map<string, FrontmatterValue>()
    for (let line = this.#peek(); line?.indent === indent && !isItem(line); line = this.#peek()) {
      const [, plain, double, single, rest = ''] =
        KEY.exec(line.text) ?? refuse('a line is not a key with a value')
      if (plain !== undefined && parsePlain(plain) !== plain) return refuse('a key is not a string')
      const key = plain ?? double ?? single ?? ''
      if (entries.has(key)) return refuse(`the key ${JSON.stringify(key)} occurs twice`)
      this.#position++
      entries.set(key, this.#readValue(rest.trimStart(), indent))
    }
    return Object.fromEntries(entries)
  }

  #readList(indent: number): readonly FrontmatterValue[] {
    const items: FrontmatterValue[] = []
    for (let line = this.#peek(); line?.indent === indent && isItem(line); line = this.#peek()) {
      this.#position++
      const item = line.text.slice(1).trim()
      if (KEY.test(item)) return refuse('a list has an entry with keys')
      items.push(this.#readValue(item, indent))
    }
    return items
  }

  /** The value after a key or a dash: on the same line, or on the indented lines below. */
  #readValue(rest: string, indent: number): FrontmatterValue {
    if (rest === '' || rest.startsWith('#')) return this.#readNested(indent)
    const header = BLOCK_HEADER.exec(rest)
    if (header !== null) return this.#readBlock(header[1] === '>', header[2] ?? '', indent)
    const next = this.#peek()
    if (next !== undefined && next.indent > indent) return refuse('a plain value spans several lines')
    return parseInline(rest)
  }

  #readNested(indent: number): FrontmatterValue {
    const next = this.#peek()
    // A list may have the indentation of its key.
    if (next === undefined || next.indent < indent || (next.indent === indent && !isItem(next))) return null
    return isItem(next) ? this.#readList(next.indent) : this.#readMap(next.indent)
  }

  /** A literal (`|`) or folded (`>`) block scalar. The header determines the trailing line breaks. */
  #readBlock(isFolded: boolean, chomping: string, indent: number): string {
    const raw: string[] = []
    for (; this.#position < this.#lines.length; this.#position++) {
      const line = this.#lines[this.#position] ?? ''
      if (line.trim() !== '' && indentOf(line) <= indent) break
      raw.push(line)
    }
    const [first = ''] = raw
    if (first.trim() === '' || raw.some((line) => /^ +$/.test(line)))
      return refuse('a block scalar has unsupported blank lines')
    const depth = indentOf(first)
    if (raw.some((line) => line !== '' && indentOf(line) < depth))
      return refuse('a block scalar has inconsistent indentation')
    const lines = raw.map((line) => line.slice(depth))
    if (isFolded && lines.some((line) => /^\s+\S/.test(line)))
      return refuse('a folded scalar has indented lines')
    const content = withoutEnding(lines.join('\n'), '\n')
    const ending = { '-': '', '': '\n', '+': '\n'.repeat(trailingBreaks(lines)) }[chomping]
    return (isFolded ? folded(content) : content) + (ending ?? '')
  }

  #peek(): Line | undefined {
    for (; this.#position < this.#lines.length; this.#position++) {
      const line = this.#lines[this.#position] ?? ''
      if (/^\s*(?:#.*)?$/.test(line)) continue
      if (/^ *\t/.test(line)) return refuse('a line is indented with tabs')
      return { indent: indentOf(line), text: line.trim() }
    }
    return undefined
  }
}

function isItem({ text }: Line): boolean {
  return text === '-' || text.startsWith('- ')
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

function trailingBreaks(lines: readonly string[]): number {
  return lines.length - lines.findLastIndex((line) => line !== '')
}

/** A single line break becomes a space; a sequence loses one. */
function folded(text: string): string {
  return text.replaceAll(/\n+/g, (breaks) => (breaks.length === 1 ? ' ' : breaks.slice(1)))
}
