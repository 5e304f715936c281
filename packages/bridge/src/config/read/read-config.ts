import { formatsToTry } from '../dialects/all.ts'
import type { Dialect, RootContext } from '../dialects/dialect.ts'
import {
  type ConfigDocument,
  type DocumentLocation,
  fieldsOf,
  parseDocument,
  type Report,
} from '../documents/config-document.ts'
import type { EntryReader, Explain } from '../fields/entry-reader.ts'
import { sessionTable } from '../fields/session-fields.ts'
import type { InputSpec } from '../spec/input-spec.ts'
import type { Issue } from '../spec/issue.ts'
import type { Authority, ServerSpec, SourceKind } from '../spec/server-spec.ts'
import { specFieldsOf } from '../spec/spec-fields.ts'
import { parseVariables } from '../variables/variables.ts'
import { chooseDialect } from './choose-dialect.ts'
import { type ReadingPolicy, withReadingPolicy } from './entry-transport.ts'
import { explainEntry, finishEntry, readEntry } from './read-entry.ts'
import { explainRoot, reportMisspelledRoot, reportOtherServers, reportUnknownRoot } from './root-fields.ts'
import { type StatePositions, statePositions } from './state-positions.ts'

/** The result of reading a configuration: usable servers, and issues about everything else. */
export interface ConfigReading {
  /** Name of the dialect; empty if none was recognized. */
  readonly dialect: string
  /** Usable servers, in document order. */
  readonly servers: readonly ServerSpec[]
  /** Problems of the document and its entries. */
  readonly issues: readonly Issue[]
  /** Declarations of `${input:…}` variables. */
  readonly inputs?: readonly InputSpec[]
  /** Servers that the document disables, including servers of other files. */
  readonly turnedOff?: readonly string[]
  /** Tools that the document denies for servers of this dialect, by server, including servers of other files. */
  readonly deniedTools?: Readonly<Record<string, readonly string[]>>
  /** If set, the only servers of this dialect that stay enabled, including servers of other files. */
  readonly onlyEnabled?: readonly string[]
  /** Servers that the document defines but that cannot be used. */
  readonly refused?: readonly string[]
  /** Where the document disables and refuses servers. Omitted if it does neither. */
  readonly positions?: StatePositions
}

/** Options of `readConfig` and `explainConfig`. */
export interface ReadConfigOptions {
  /** Path of the file. Used in issues and to recognize the dialect. */
  readonly file: string
  /** Name of the dialect. Default: the field `dialect` of the document, else recognized by path and shape. */
  readonly dialect?: string
  /** How the file was provided; set in `source` of each spec. Default: not set. */
  readonly kind?: SourceKind
  /** The workspace folder; some hosts keep settings per folder in one file. Default: none. */
  readonly workspaceFolder?: string
  /** Platform whose variable syntax applies. Default: `process.platform`. */
  readonly platform?: string
  /** Policies that override those of the dialect. Default: none. */
  readonly policy?: ReadingPolicy
  /**
   * Whose definitions these are. Those of a `session` are refused if a field uses this machine, or restricts the server in a way
   * that is not kept with saved servers. Default: `local`.
   */
  readonly authority?: Authority['kind']
}

/**
 * Reads a configuration in any known dialect: JSON with comments and trailing commas, YAML or TOML. Never throws for
 * invalid content: an invalid entry is left out and reported in `issues`, and the other entries are still returned.
 *
 * @example
 * ```ts
 * import { readConfig } from '@toolbridge/bridge'
 *
 * const text = '{ "mcpServers": { "hello": { "command": "node" }, "broken": {} } }'
 * const { servers, issues } = readConfig(text, { file: 'mcp.json' })
 * console.log(servers.map((server) => server.name)) // [ 'hello' ]
 * console.log(issues.map((issue) => issue.path)) // [ '/mcpServers/broken' ]
 * ```
 */
export function readConfig(text: string, options: ReadConfigOptions): ConfigReading {
  return readOpened(openDocument(text, options), options)
}

/** Reads a document that `openDocument` returned, and calls `explain` for each field. */
export function readOpened(
  opened: OpenedDocument | Issue,
  options: ReadConfigOptions,
  explain?: Explain,
): ConfigReading {
  return 'dialect' in opened
    ? readDocument(opened.document, dialectFor(opened.dialect, options), options, explain)
    : unread(opened)
}

function dialectFor(dialect: Dialect, { policy, authority }: ReadConfigOptions): Dialect {
  const chosen = withReadingPolicy(dialect, policy)
  return authority === 'session' ? { ...chosen, fields: sessionTable(chosen.fields) } : chosen
}

/** A parsed document and its dialect. */
export interface OpenedDocument {
  readonly document: ConfigDocument
  readonly dialect: Dialect
}

/** Parses a text and chooses its dialect, or returns the issue that prevents it. */
export function openDocument(text: string, options: ReadConfigOptions): OpenedDocument | Issue {
  const document = parseAny(text, options)
  if (!('root' in document)) return document
  const dialect = chooseDialect(document, options)
  if ('finding' in dialect) return document.issueAt(dialect.location, dialect.finding)
  return { document, dialect }
}

/** Tries the formats that the file name or the dialect allows and reports the problem of the first one. */
export function parseAny(text: string, options: ReadConfigOptions): ConfigDocument | Issue {
  const [first, ...others] = formatsToTry(options.file, options.dialect).map(
    (format) => () => parseDocument(text, options.file, format),
  )
  const parsed = (first ?? (() => parseDocument(text, options.file, 'json')))()
  if ('root' in parsed) return parsed
  for (const parse of others) {
    const other = parse()
    if ('root' in other && other.root.node.type === 'object') return other
  }
  return parsed
}

function readDocument(
  document: ConfigDocument,
  dialect: Dialect,
  options: ReadConfigOptions,
  explain: Explain | undefined,
): ConfigReading {
  const issues: Issue[] = []
  const repeated = new Map<string, DocumentLocation>()
  const report: Report = (location, finding) => {
    issues.push(document.issueAt(location, finding))
    if (finding.code === 'server_duplicate' && finding.severity === 'error' && 'key' in location)
      repeated.set(String(location.key), location)
  }
  const { workspaceFolder, file } = options
  const context: RootContext = {
    report,
    document,
    workspaceFolder,
    inputs: [],
    turnedOff: new Map(),
    deniedTools: new Map(),
  }
  const isWholeRefused = reportUnknownRoot(fieldsOf(document.root), dialect, file, report)
  reportOtherServers(document, dialect, file, report)
  reportMisspelledRoot(document, dialect, file, report)
  const entries = readEntries(document, dialect, options, context)
  const { inputs, turnedOff } = context
  const defined = entries.filter((entry) => !isOnlySwitch(entry))
  for (const entry of entries) if (isOnlySwitch(entry)) turnOffElsewhere(entry, turnedOff)
  const servers = defined.flatMap((entry) => {
    const spec = finishEntry(entry, dialect, sourceOf(document, entry.location, options))
    return spec === undefined ? [] : [withInputs(spec, inputs)]
  })
  if (explain !== undefined) {
    explainRoot(document, dialect, file, explain)
    for (const entry of entries) explainEntry(entry, dialect, document, explain)
  }
  const usable = isWholeRefused ? [] : servers
  const names = new Set(usable.map(({ name }) => name))
  const refused = [...repeated, ...defined.map(({ server, location }) => [server, location] as const)].filter(
    ([name]) => !names.has(name),
  )
  const positions = statePositions(document, dialect, entries, context, refused)
  return {
    dialect: dialect.name,
    servers: usable,
    issues,
    ...(refused.length === 0 ? {} : { refused: [...new Set(refused.map(([name]) => name))] }),
    ...(inputs.length === 0 ? {} : { inputs }),
    ...(turnedOff.size === 0 ? {} : { turnedOff: [...turnedOff.keys()] }),
    ...(context.deniedTools.size === 0 ? {} : { deniedTools: Object.fromEntries(context.deniedTools) }),
    ...(context.onlyEnabled === undefined ? {} : { onlyEnabled: [...context.onlyEnabled.names] }),
    ...(positions === undefined ? {} : { positions }),
  }
}

/** An entry that only disables a server, which another file of the host defines. */
function isOnlySwitch({ specFields, isRefused }: EntryReader): boolean {
  return !isRefused && specFields.enabled === false && Object.keys(specFields).length === 1
}

function turnOffElsewhere(entry: EntryReader, turnedOff: RootContext['turnedOff']): void {
  turnedOff.set(entry.server, entry.location)
  entry.translate(entry.location, {
    code: 'server_turned_off',
    message: 'it has neither a command nor a URL, and only disables a server of another file',
    fix: 'no action needed',
  })
}

function readEntries(
  { root }: ConfigDocument,
  dialect: Dialect,
  { platform = process.platform }: ReadConfigOptions,
  context: RootContext,
): readonly EntryReader[] {
  const { report } = context
  const locations = dialect.root.locate(root, context)
  const entries = locations.map((location) => readEntry(location, { dialect, platform, report }))
  dialect.root.apply?.(root, entries, context)
  return entries
}

function sourceOf(
  document: ConfigDocument,
  location: DocumentLocation,
  { file, kind }: ReadConfigOptions,
): ServerSpec['source'] {
  const source = { file, pointer: location.pointer, ...document.positionOf(location) }
  return kind === undefined ? source : { ...source, kind }
}

/** Adds the declarations of the inputs that a spec uses. */
function withInputs(spec: ServerSpec, inputs: readonly InputSpec[]): ServerSpec {
  if (inputs.length === 0) return spec
  const used = new Set(
    parseVariables(JSON.stringify(specFieldsOf(spec))).flatMap((piece) =>
      piece.kind === 'input' ? [piece.name] : [],
    ),
  )
  const own = inputs.filter(({ id }) => used.has(id))
  return own.length === 0 ? spec : { ...spec, inputs: own }
}

function unread(issue: Issue): ConfigReading {
  return { dialect: '', servers: [], issues: [issue] }
}
