import type { Pair, YAMLParseError } from 'yaml'
import type { DocumentNode, SyntaxProblem } from './node.ts'
import {
  exceededLimit,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  type SyntaxLimits,
} from './yaml-library.ts'

/** Parses YAML 1.2 or the front matter of a Markdown file. Aliases are followed up to a limit. */
export function parseYaml(text: string): DocumentNode | SyntaxProblem {
  const yaml = frontMatterOf(text)
  const exceeded = exceededLimit(yaml, limits)
  if (exceeded !== undefined) return { offset: 0, problem: tooMuch[exceeded] }
  // Its own messages are not used, and finding the line of each would take quadratic time.
  const document = parseDocument(yaml, { uniqueKeys: false, prettyErrors: false })
  const [error] = document.errors
  if (error !== undefined) return problemOf(error)
  if (document.contents === null) return { offset: 0, problem: 'expected a value' }
  const builder = new TreeBuilder()
  const node = builder.build(document.contents, 0)
  return builder.isExhausted ? { offset: 0, problem: 'expected fewer levels and fewer aliases' } : node
}

/** Returns the front matter. The opening marker becomes spaces, so that offsets stay the same. */
export function frontMatterOf(text: string): string {
  const [, opening, yaml] = /^(---[ \t]*\r?\n)([\s\S]*?\r?\n)---[ \t]*(?:\r?\n|$)/.exec(text) ?? []
  return opening === undefined || yaml === undefined ? text : opening.replaceAll('-', ' ') + yaml
}

const maxDepth = 100
/** The syntax of a document has a few more levels than its values. */
const limits: SyntaxLimits = { levels: 2 * maxDepth, tokens: 50_000 }
const tooMuch: Readonly<Record<keyof SyntaxLimits, string>> = {
  levels: 'expected fewer levels of nesting',
  tokens: `expected at most ${limits.tokens} words and signs; put the servers in a file of their own`,
}
const maxCopies = 50_000

/** Aliases can make a small text describe a huge tree, so copies are counted. */
class TreeBuilder {
  readonly #anchors = new Map<string, unknown>()
  #copies = 0

  get isExhausted(): boolean {
    return this.#copies > maxCopies
  }

  build(node: unknown, depth: number, isCopy = false): DocumentNode {
    const extent = extentOf(node)
    if (isCopy) this.#copies += 1
    if (depth > maxDepth) this.#copies = Number.POSITIVE_INFINITY
    if (this.isExhausted) return { type: 'null', ...extent }
    if (isAlias(node)) return { ...this.build(this.#anchors.get(node.source), depth + 1, true), ...extent }
    if ((isCollection(node) || isScalar(node)) && node.anchor !== undefined)
      this.#anchors.set(node.anchor, node)
    if (isMap(node)) {
      const children = node.items.map((pair) => this.#property(pair, depth + 1, isCopy))
      return { type: 'object', ...extent, children }
    }
    if (isSeq(node)) {
      const children = node.items.map((item) => this.build(item, depth + 1, isCopy))
      return { type: 'array', ...extent, children }
    }
    return { ...scalarOf(isScalar(node) ? node.value : null), ...extent }
  }

  #property({ key, value }: Pair, depth: number, isCopy: boolean): DocumentNode {
    const keyNode = this.build(key, depth, isCopy)
    const { offset } = keyNode
    const valueNode: DocumentNode =
      value === null ? { type: 'null', offset, length: keyNode.length } : this.build(value, depth, isCopy)
    const length = valueNode.offset + valueNode.length - offset
    return { type: 'property', offset, length, children: [keyNode, valueNode] }
  }
}

function extentOf(node: unknown): Pick<DocumentNode, 'offset' | 'length'> {
  const range: unknown = typeof node === 'object' && node !== null && 'range' in node ? node.range : undefined
  if (!Array.isArray(range)) return { offset: 0, length: 0 }
  const [start, end] = range.map(Number)
  return { offset: start ?? 0, length: (end ?? 0) - (start ?? 0) }
}

function scalarOf(value: unknown): Pick<DocumentNode, 'type' | 'value'> {
  if (typeof value === 'string') return { type: 'string', value }
  if (typeof value === 'number') return { type: 'number', value }
  return typeof value === 'boolean' ? { type: 'boolean', value } : { type: 'null' }
}

/** Messages of the parser quote the text, which may contain a secret. */
function problemOf({ code, pos }: YAMLParseError): SyntaxProblem {
  return { offset: pos[0], problem: problems[code] ?? 'expected YAML' }
}

const problems: Partial<Readonly<Record<YAMLParseError['code'], string>>> = {
  BAD_ALIAS: 'expected an alias of an anchor above',
  BAD_DQ_ESCAPE: 'expected a known escape sequence after the backslash; in single quotes it needs none',
  BAD_INDENT: 'expected a different indentation',
  BAD_SCALAR_START: 'expected quotes around text that starts with this character',
  BLOCK_AS_IMPLICIT_KEY: 'expected a key on one line, or quotes around text with a colon',
  MISSING_CHAR: 'expected a closing quote, bracket or brace, or a space after the colon',
  MULTILINE_IMPLICIT_KEY: 'expected a key on one line',
  MULTIPLE_DOCS: 'expected one document',
  RESOURCE_EXHAUSTION: 'expected fewer levels of nesting',
  TAB_AS_INDENT: 'expected spaces instead of tabs',
  UNEXPECTED_TOKEN: 'unexpected token',
}
