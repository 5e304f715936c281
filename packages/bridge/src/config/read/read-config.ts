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
import type { InputSpec } from '../spec/input-spec.ts'
import type { Issue } from '../spec/issue.ts'
import type { ServerSpec, SourceKind } from '../spec/server-spec.ts'
import { specFieldsOf } from '../spec/spec-fields.ts'
import { parseVariables } from '../variables/variables.ts'
import { chooseDialect } from './choose-dialect.ts'
import { explainEntry, finishEntry, readEntry } from './read-entry.ts'
import { explainRoot, reportOtherServers, reportUnknownRoot } from './root-fields.ts'

/** What a configuration says: the servers that can be used, and everything there is to say about the rest. */
export interface ConfigReading {
  /** The dialect it was read in; empty when none was recognised. */
  readonly dialect: string
  /** In the order of the text. */
  readonly servers: readonly ServerSpec[]
  readonly issues: readonly Issue[]
  /** How to ask for what `${input:…}` names. */
  readonly inputs?: readonly InputSpec[]
  /** Names that the document turns off, whichever file defines them. */
  readonly turnedOff?: readonly string[]
  /** The only names that the document leaves on among the servers of its dialect, whichever file defines them. */
  readonly onlyEnabled?: readonly string[]
  /** Names that the document defines in a way that cannot be used. */
  readonly refused?: readonly string[]
}

export interface ReadConfigOptions {
  /** The file's path, for messages and to recognise the dialect by. */
  readonly file: string
  /** Name of the dialect; recognised by path and shape unless told. */
  readonly dialect?: string
  /** By what way the file came in, for the specs to carry. */
  readonly kind?: SourceKind
  /** Where the person works: some hosts keep settings for each such folder in one file. */
  readonly workspaceFolder?: string
  /** The platform whose variables are meant; this one's unless told. */
  readonly platform?: string
}

/**
 * Reads a configuration text in any known dialect: JSON with comments and trailing commas, YAML or TOML. Never throws
 * for what is written there; a broken entry is left out with its issues and never hides the good ones.
 */
export function readConfig(text: string, options: ReadConfigOptions): ConfigReading {
  return readConfigWith(text, options, undefined)
}

/** The same, and each field is explained to whoever wants to know. */
export function readConfigWith(
  text: string,
  options: ReadConfigOptions,
  explain: Explain | undefined,
): ConfigReading {
  const opened = openDocument(text, options)
  return 'dialect' in opened
    ? readDocument(opened.document, opened.dialect, options, explain)
    : unread(opened)
}

/** A text as a document of its dialect, or why it is none. */
export function openDocument(
  text: string,
  options: ReadConfigOptions,
): { readonly document: ConfigDocument; readonly dialect: Dialect } | Issue {
  const document = parseAny(text, options)
  if (!('root' in document)) return document
  const dialect = chooseDialect(document, options)
  if ('finding' in dialect) return document.issueAt(dialect.location, dialect.finding)
  return { document, dialect }
}

/** A document is tried in the formats that its name or its dialect allows; the first one's problem is told. */
function parseAny(text: string, options: ReadConfigOptions): ConfigDocument | Issue {
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
  const repeated: string[] = []
  const report: Report = (location, finding) => {
    issues.push(document.issueAt(location, finding))
    if (finding.code === 'server_duplicate' && 'key' in location) repeated.push(String(location.key))
  }
  const { workspaceFolder, file } = options
  const context: RootContext = { report, workspaceFolder, inputs: [], turnedOff: new Set() }
  const isWholeRefused = reportUnknownRoot(fieldsOf(document.root), dialect, file, report)
  reportOtherServers(document, dialect, file, report)
  const entries = readEntries(document, dialect, options, context)
  const { inputs, turnedOff } = context
  const servers = entries.flatMap((entry) => {
    const spec = finishEntry(entry, dialect, sourceOf(document, entry.location, options))
    return spec === undefined ? [] : [withInputs(spec, inputs)]
  })
  if (explain !== undefined) {
    explainRoot(document, dialect, file, explain)
    for (const entry of entries) explainEntry(entry, dialect, document, explain)
  }
  const usable = isWholeRefused ? [] : servers
  const names = new Set(usable.map(({ name }) => name))
  const refused = [...repeated, ...entries.map(({ server }) => server)].filter((name) => !names.has(name))
  return {
    dialect: dialect.name,
    servers: usable,
    issues,
    ...(refused.length === 0 ? {} : { refused: [...new Set(refused)] }),
    ...(inputs.length === 0 ? {} : { inputs }),
    ...(turnedOff.size === 0 ? {} : { turnedOff: [...turnedOff] }),
    ...(context.onlyEnabled === undefined ? {} : { onlyEnabled: [...context.onlyEnabled] }),
  }
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

/** A spec carries what it takes to ask for its own inputs. */
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
