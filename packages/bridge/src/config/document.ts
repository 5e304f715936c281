import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { type Issue, pointerTo } from './issue.ts'

/** A value of a document and where it stands. */
export interface Place {
  readonly node: Node
  readonly pointer: string
}

/** A property of an object in a document; the place is its value's. */
export interface Field extends Place {
  readonly key: string
}

/** What there is to say about a place, before it is known where that is in the text. */
export type Finding = Pick<Issue, 'code' | 'severity' | 'message' | 'fix'>

export type Report = (place: Place, finding: Finding) => void

/** A text that was read as JSON with comments and trailing commas. */
export interface ConfigDocument {
  readonly file: string
  readonly root: Place
  issueAt(place: Place, finding: Finding): Issue
}

/** Reads a text, or says where it breaks off being JSON. A byte order mark is skipped. */
export function parseDocument(text: string, file: string): ConfigDocument | Issue {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text
  const { node, error } = parseText(body)
  const issueAt = (place: Place, finding: Finding): Issue => ({
    ...finding,
    file,
    path: place.pointer,
    ...lineAndColumn(body, place.node.offset),
  })
  if (error !== undefined) return syntaxIssue(body, file, error)
  if (node === undefined) return syntaxIssue(body, file, { offset: 0, problem: 'expected a value' })
  return { file, root: { node, pointer: '' }, issueAt }
}

/** The properties of an object node, in the order of the text. */
export function fieldsOf(place: Place): readonly Field[] {
  return (place.node.children ?? []).flatMap((property) => {
    const [key, node] = property.children ?? []
    if (key === undefined || node === undefined) return []
    const name = String(key.value)
    return [{ key: name, node, pointer: pointerTo(place.pointer, name) }]
  })
}

/** The fields whose key stands more than once in the same object, first occurrence left out. */
export function repeatedFields(fields: readonly Field[]): readonly Field[] {
  const seen = new Set<string>()
  return fields.filter(({ key }) => seen.size === seen.add(key).size)
}

/** The items of an array node. */
export function itemsOf(place: Place): readonly Place[] {
  return (place.node.children ?? []).map((node, index) => ({
    node,
    pointer: pointerTo(place.pointer, index),
  }))
}

interface SyntaxProblem {
  readonly offset: number
  readonly problem: string
}

function parseText(text: string): { readonly node?: Node | undefined; readonly error?: SyntaxProblem } {
  const errors: ParseError[] = []
  try {
    const node = parseTree(text, errors, { allowTrailingComma: true })
    const [first] = errors
    if (first === undefined) return { node }
    return { error: { offset: first.offset, problem: problems[printParseErrorCode(first.error)] } }
  } catch (error) {
    // The parser calls itself for each level, so a text can be nested more deeply than it can follow.
    if (error instanceof RangeError)
      return { error: { offset: 0, problem: 'expected fewer levels of nesting' } }
    throw error
  }
}

function syntaxIssue(text: string, file: string, { offset, problem }: SyntaxProblem): Issue {
  const { line, column } = lineAndColumn(text, offset)
  return {
    code: 'syntax',
    severity: 'error',
    file,
    path: '',
    line,
    column,
    message: `not valid JSON at line ${line}, column ${column}: ${problem}`,
    fix: 'correct the text there; comments and trailing commas are fine',
  }
}

const problems: Readonly<Record<ReturnType<typeof printParseErrorCode>, string>> = {
  InvalidSymbol: 'expected a property name or a value; words stand in double quotes',
  InvalidNumberFormat: 'expected a number',
  PropertyNameExpected: 'expected a property name in double quotes',
  ValueExpected: 'expected a value',
  ColonExpected: 'expected a colon',
  CommaExpected: 'expected a comma',
  CloseBraceExpected: 'expected a comma or a closing brace',
  CloseBracketExpected: 'expected a comma or a closing bracket',
  EndOfFileExpected: 'expected nothing after the end of the document',
  InvalidCommentToken: 'expected no comment here',
  UnexpectedEndOfComment: 'expected the end of the comment',
  UnexpectedEndOfString: 'expected the closing quote of the string',
  UnexpectedEndOfNumber: 'expected the rest of the number',
  InvalidUnicode: 'expected four hexadecimal digits after \\u',
  InvalidEscapeCharacter: 'expected a known escape sequence after the backslash',
  InvalidCharacter: 'expected no control character inside a string',
  '<unknown ParseErrorCode>': 'expected JSON',
}

function lineAndColumn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}
