import { type Issue, pointerTo } from '../spec/issue.ts'
import { parseJson } from './json.ts'
import { LineIndex } from './line-index.ts'
import type { DocumentNode, SyntaxProblem } from './node.ts'
import { parseToml } from './toml.ts'
import { parseYaml } from './yaml.ts'

/** Format of a document. */
export type DocumentFormat = 'json' | 'yaml' | 'toml'

/** A value of a document and its JSON pointer. */
export interface DocumentLocation {
  readonly node: DocumentNode
  readonly pointer: string
}

/** A property of an object; node and pointer are those of its value. */
export interface Field extends DocumentLocation {
  readonly key: string
}

/** An issue without its position. */
export type Finding = Pick<Issue, 'code' | 'severity' | 'message' | 'fix'> &
  Partial<Pick<Issue, 'found' | 'expected'>>

export type Report = (location: DocumentLocation, finding: Finding) => void

/** A parsed configuration text. */
export interface ConfigDocument {
  readonly file: string
  readonly format: DocumentFormat
  readonly root: DocumentLocation
  readonly positionOf: (location: DocumentLocation) => { readonly line: number; readonly column: number }
  issueAt(location: DocumentLocation, finding: Finding): Issue
}

const parsers = { json: parseJson, yaml: parseYaml, toml: parseToml }

/** Parses a text, or returns a syntax issue. JSON may have comments and trailing commas; a byte order mark is skipped. */
export function parseDocument(text: string, file: string, format: DocumentFormat): ConfigDocument | Issue {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text
  const lines = new LineIndex(body)
  const parsed = shallow(parsers[format](body))
  if ('problem' in parsed) return syntaxIssue(file, format, parsed, lines)
  return {
    file,
    format,
    root: { node: parsed, pointer: '' },
    positionOf: ({ node }) => lines.at(node.offset),
    issueAt: (location, finding) => ({
      ...finding,
      file,
      path: location.pointer,
      ...lines.at(location.node.offset),
    }),
  }
}

/** Levels of nodes that recursive code can handle. An object takes two: itself and its properties. */
const maxLevels = 256

function shallow(parsed: DocumentNode | SyntaxProblem): DocumentNode | SyntaxProblem {
  const isDeep = 'type' in parsed && isDeeperThan(maxLevels, parsed)
  return isDeep ? { offset: parsed.offset, problem: 'expected fewer levels of nesting' } : parsed
}

function isDeeperThan(levels: number, { children = [] }: DocumentNode): boolean {
  return levels === 0 || children.some((child) => isDeeperThan(levels - 1, child))
}

/** The properties of an object, in document order. */
export function fieldsOf(location: DocumentLocation): readonly Field[] {
  if (location.node.type !== 'object') return []
  return (location.node.children ?? []).flatMap((property) => {
    const [key, node] = property.children ?? []
    if (key === undefined || node === undefined) return []
    const name = String(key.value)
    return [{ key: name, node, pointer: pointerTo(location.pointer, name) }]
  })
}

/** The property of an object with that key; the last one if the key is repeated, as in most parsers. */
export function fieldOf({ node, pointer }: DocumentLocation, key: string): Field | undefined {
  if (node.type !== 'object') return undefined
  const property = node.children?.findLast(({ children }) => String(children?.[0]?.value) === key)
  const value = property?.children?.[1]
  return value === undefined ? undefined : { key, node: value, pointer: pointerTo(pointer, key) }
}

/** Fields whose key is repeated, without the first occurrence. */
export function repeatedFields(fields: readonly Field[]): readonly Field[] {
  const seen = new Set<string>()
  return fields.filter(({ key }) => seen.size === seen.add(key).size)
}

/** The items of an array. */
export function itemsOf(location: DocumentLocation): readonly DocumentLocation[] {
  if (location.node.type !== 'array') return []
  return (location.node.children ?? []).map((node, index) => ({
    node,
    pointer: pointerTo(location.pointer, index),
  }))
}

const formatNames: Readonly<Record<DocumentFormat, string>> = { json: 'JSON', yaml: 'YAML', toml: 'TOML' }

const syntaxFixes: Readonly<Record<DocumentFormat, string>> = {
  json: 'correct the text there; comments and trailing commas are fine',
  yaml: 'correct the text there; indent with spaces',
  toml: 'correct the text there',
}

function syntaxIssue(
  file: string,
  format: DocumentFormat,
  { offset, problem }: SyntaxProblem,
  lines: LineIndex,
): Issue {
  const { line, column } = lines.at(offset)
  return {
    code: 'syntax',
    severity: 'error',
    file,
    path: '',
    line,
    column,
    message: `not valid ${formatNames[format]} at line ${line}, column ${column}: ${problem}`,
    fix: syntaxFixes[format],
  }
}
