import { type ServerEntry, serverEntrySchema } from '@toolbridge/api'
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'

/** Servers by name. */
export type Servers = Readonly<Record<string, ServerEntry>>

/** An issue in a text. Line and column count from 1. */
export interface TextIssue {
  readonly message: string
  readonly from: number
  readonly to: number
  readonly line: number
  readonly column: number
}

/** A parsed text: named servers, one server without a name, nothing yet, or issues. */
export type ServerText =
  | { readonly kind: 'servers'; readonly servers: Servers }
  | { readonly kind: 'nameless'; readonly entry: ServerEntry }
  | { readonly kind: 'empty' }
  | { readonly kind: 'issues'; readonly issues: readonly TextIssue[] }

/**
 * Reads what people paste: a host's whole file (`mcpServers` or `servers`), a bare map of servers, or one server. Comments
 * and trailing commas are fine.
 */
export function readServerText(text: string): ServerText {
  if (text.trim() === '') return { kind: 'empty' }
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true })
  if (root === undefined || errors.length > 0)
    return { kind: 'issues', issues: errors.map((error) => syntaxIssue(text, error)) }
  if (root.type !== 'object')
    return { kind: 'issues', issues: [issueAt(text, root, 'This must be an object: { … }.')] }
  if (isEntry(root)) return readEntry(text, root)
  return readServers(
    text,
    findNodeAtLocation(root, ['mcpServers']) ?? findNodeAtLocation(root, ['servers']) ?? root,
  )
}

/** Parses one server whose name is known. */
export function readEntryText(text: string): ServerText {
  const reading = readServerText(text)
  if (reading.kind !== 'servers') return reading
  return {
    kind: 'issues',
    issues: [issueIn(text, 0, 1, 'This must be one server, with a "command" or a "url".')],
  }
}

/** Formats an entry for the editor. */
export function entryText(entry: ServerEntry): string {
  return JSON.stringify(entry, null, 2)
}

function isEntry(node: Node): boolean {
  const [command, url] = ['command', 'url'].map((name) => findNodeAtLocation(node, [name]))
  return command?.type === 'string' || url?.type === 'string' || isKept(command) || isKept(url)
}

/** A command or URL that may contain a secret is returned as a reference. */
function isKept(node: Node | undefined): boolean {
  return node !== undefined && findNodeAtLocation(node, ['kept']) !== undefined
}

function readEntry(text: string, node: Node): ServerText {
  const reading = parseEntry(text, node)
  return 'issues' in reading
    ? { kind: 'issues', issues: reading.issues }
    : { kind: 'nameless', entry: reading.entry }
}

function readServers(text: string, node: Node): ServerText {
  if (node.type !== 'object')
    return {
      kind: 'issues',
      issues: [issueAt(text, node, 'Servers must be an object by name: { "name": { … } }.')],
    }
  const named = (node.children ?? []).flatMap(({ children: [name, value] = [] }) =>
    name !== undefined && value !== undefined
      ? [{ name: String(name.value), reading: parseEntry(text, value) }]
      : [],
  )
  const issues = named.flatMap(({ reading }) => ('issues' in reading ? reading.issues : []))
  if (issues.length > 0) return { kind: 'issues', issues }
  if (named.length === 0) return { kind: 'issues', issues: [issueAt(text, node, 'This contains no server.')] }
  const entries = named.flatMap(({ name, reading }) =>
    'entry' in reading ? [[name, reading.entry] as const] : [],
  )
  return { kind: 'servers', servers: Object.fromEntries(entries) }
}

type EntryReading = { readonly entry: ServerEntry } | { readonly issues: readonly TextIssue[] }

function parseEntry(text: string, node: Node): EntryReading {
  if (node.type !== 'object') return { issues: [issueAt(text, node, 'A server must be an object: { … }.')] }
  if (!isEntry(node))
    return { issues: [issueAt(text, node, 'A server needs a "command" to start it or a "url" to reach it.')] }
  const parsed = serverEntrySchema.safeParse(getNodeValue(node))
  if (parsed.success) return { entry: parsed.data }
  return { issues: parsed.error.issues.map((issue) => schemaIssue(text, node, issue)) }
}

interface SchemaIssue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** Marks the value of the issue, or the entry if the value is missing. */
function schemaIssue(text: string, entry: Node, { path, message }: SchemaIssue): TextIssue {
  const steps = path.map((step) => (typeof step === 'symbol' ? String(step) : step))
  const at = steps.length === 0 ? '' : `${steps.join('.')}: `
  return issueAt(text, findNodeAtLocation(entry, steps) ?? entry, `${at}${message}`)
}

const syntaxMessages: Readonly<Record<string, string>> = {
  InvalidSymbol: 'This is not a JSON value. Strings need double quotes.',
  InvalidNumberFormat: 'This is not a number.',
  PropertyNameExpected: 'A name in double quotes is expected here.',
  ValueExpected: 'A value is expected here.',
  ColonExpected: 'A colon is expected here.',
  CommaExpected: 'A comma is expected here.',
  CloseBraceExpected: 'A closing } is expected here.',
  CloseBracketExpected: 'A closing ] is expected here.',
  EndOfFileExpected: 'The JSON ends before this.',
  UnexpectedEndOfComment: 'This comment is not closed.',
  UnexpectedEndOfString: 'This string is not closed.',
  UnexpectedEndOfNumber: 'This number is not complete.',
  InvalidEscapeCharacter: 'This escape is not valid in JSON.',
  InvalidCharacter: 'This character must be escaped.',
}

function syntaxIssue(text: string, { error, offset, length }: ParseError): TextIssue {
  const code = printParseErrorCode(error)
  return issueIn(text, offset, length, syntaxMessages[code] ?? `This is not valid JSON (${code}).`)
}

function issueAt(text: string, { offset, length }: Node, message: string): TextIssue {
  return issueIn(text, offset, length, message)
}

function issueIn(text: string, offset: number, length: number, message: string): TextIssue {
  const before = text.slice(0, offset).split('\n')
  const to = Math.min(text.length, offset + Math.max(1, length))
  return {
    message,
    from: Math.min(offset, to),
    to,
    line: before.length,
    column: (before.at(-1)?.length ?? 0) + 1,
  }
}
