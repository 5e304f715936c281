import { type FrontmatterValue, parseInline, parsePlain, refuse } from './yaml-scalars.ts'

export type { FrontmatterValue } from './yaml-scalars.ts'

/** The parts of a SKILL.md. */
export interface SkillDocument {
  readonly frontmatter: Readonly<Record<string, FrontmatterValue>>
  readonly body: string
}

interface Line {
  readonly indent: number
  readonly text: string
}

const KEY = /^(?:([A-Za-z_][\w.-]*)|"([^"\\]*)"|'([^']*)')\s*:(?:\s+(.*))?$/
const BLOCK_HEADER = /^([|>])([-+]?)(?:\s+#.*)?$/

/** Blanks on which readers of YAML disagree: tabs, lone carriage returns, separators of Unicode, controls. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const UNUSUAL_SPACE = /[^\S \r\n]|\r(?!\n)|[\u0000-\u0009\u000B\u000C\u000E-\u001F\u007F-\u009F]/

/**
 * Takes a SKILL.md apart. Reads the part of YAML that frontmatter uses: nested keys, lists, plain, quoted and block
 * texts. Throws for the rest (anchors, tags, braces, texts over several plain lines), since a wrong reading would pass
 * for a right one.
 */
export function parseSkillDocument(text: string): SkillDocument {
  const match = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?:^|\r?\n)---[ \t]*(?:\r?\n|$)([\s\S]*)$/m.exec(text)
  if (match === null || match.index !== 0) return refuse('the file does not begin with frontmatter')
  const source = match[1] ?? ''
  if (UNUSUAL_SPACE.test(source)) return refuse('it has control characters or unusual blanks')
  const lines = source.split(/\r?\n/)
  return { frontmatter: new FrontmatterReader(lines).read(), body: match[2] ?? '' }
}

/** Reads line by line; the position is the next line that is not read yet. */
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
    return this.#peek() === undefined ? map : refuse('its lines are indented in a way that does not fit')
  }

  #readMap(indent: number): Readonly<Record<string, FrontmatterValue>> {
    const entries = new Map<string, FrontmatterValue>()
    for (let line = this.#peek(); line?.indent === indent && !isItem(line); line = this.#peek()) {
      const [, plain, double, single, rest = ''] =
        KEY.exec(line.text) ?? refuse('a line is no key with a value')
      if (plain !== undefined && parsePlain(plain) !== plain) return refuse('a key is no text')
      const key = plain ?? double ?? single ?? ''
      if (entries.has(key)) return refuse(`the key ${JSON.stringify(key)} occurs twice`)
      this.#position++
      entries.set(key, this.#readValue(rest, indent))
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

  /** What follows a key or a dash: on the same line, or on those below that are indented further. */
  #readValue(rest: string, indent: number): FrontmatterValue {
    if (rest === '' || rest.startsWith('#')) return this.#readNested(indent)
    const header = BLOCK_HEADER.exec(rest)
    if (header !== null) return this.#readBlock(header[1] === '>', header[2] ?? '', indent)
    const next = this.#peek()
    if (next !== undefined && next.indent > indent) return refuse('a value goes on over several lines')
    return parseInline(rest)
  }

  #readNested(indent: number): FrontmatterValue {
    const next = this.#peek()
    // A list may stand as far left as its key.
    if (next === undefined || next.indent < indent || (next.indent === indent && !isItem(next))) return null
    return isItem(next) ? this.#readList(next.indent) : this.#readMap(next.indent)
  }

  /** A text over several lines, kept (`|`) or folded (`>`), with the line breaks at its end as the header says. */
  #readBlock(isFolded: boolean, chomping: string, indent: number): string {
    const raw: string[] = []
    for (; this.#position < this.#lines.length; this.#position++) {
      const line = this.#lines[this.#position] ?? ''
      if (line.trim() !== '' && indentOf(line) <= indent) break
      raw.push(line)
    }
    const [first = ''] = raw
    if (first.trim() === '' || raw.some((line) => /^ +$/.test(line)))
      return refuse('a text has odd blank lines')
    const depth = indentOf(first)
    if (raw.some((line) => line !== '' && indentOf(line) < depth))
      return refuse('a text is indented unevenly')
    const lines = raw.map((line) => line.slice(depth))
    if (isFolded && lines.some((line) => /^\s+\S/.test(line)))
      return refuse('a folded text has indented lines')
    const content = lines.join('\n').replace(/\n+$/, '')
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

/** One line break becomes a blank; of several, one is lost. */
function folded(text: string): string {
  return text.replaceAll(/\n+/g, (breaks) => (breaks.length === 1 ? ' ' : breaks.slice(1)))
}
