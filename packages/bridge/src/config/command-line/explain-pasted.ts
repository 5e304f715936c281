import { isJsonObject } from '@toolbridge/client/internal'
import { type ConfigExplanation, explainConfig, explainOpened } from '../read/explain-config.ts'
import { openDocument, parseAny, type ReadConfigOptions } from '../read/read-config.ts'
import { bareEntryDialect } from './bare-entry.ts'
import { CommandLineError } from './command-line-error.ts'
import { commandWords } from './command-words.ts'
import { hostCommand, isHostCommand, isServerUrl } from './host-command.ts'
import { nameOfCommand, nameOfUrl } from './server-name.ts'

/** Options of `explainPasted`. */
export interface ExplainPastedOptions extends Omit<ReadConfigOptions, 'file'> {
  /** Name of the text in issues. Default: `pasted text`. */
  readonly file?: string
}

/** The result of `explainPasted`. */
export interface PastedExplanation extends ConfigExplanation {
  /** What the text is. Only a document has fields and positions. */
  readonly kind: 'document' | 'command' | 'url'
}

/**
 * Explains what somebody found in the documentation of a server: a configuration in any dialect, one entry of it, a URL, a
 * command such as `npx -y some-server`, or that of a host such as `claude mcp add …`. Runs nothing. With `dialect`, the text is
 * a document.
 *
 * @example
 * ```ts
 * import { explainPasted } from '@toolbridge/bridge/config'
 *
 * const { kind, servers } = explainPasted('claude mcp add --transport http sentry https://mcp.sentry.dev/mcp')
 * console.log(kind, servers.map(({ name, transport }) => `${name} ${transport}`)) // command [ 'sentry http' ]
 * ```
 */
export function explainPasted(text: string, options: ExplainPastedOptions = {}): PastedExplanation {
  const reading = { ...options, file: options.file ?? 'pasted text' }
  const trimmed = text.trim()
  const line = withoutContinuations(trimmed)
  const isLine = line !== '' && !line.includes('\n') && !isDocument(trimmed)
  if (options.dialect !== undefined || !isLine) return { kind: 'document', ...explainDocument(text, reading) }
  const kind = isServerUrl(line) && !/\s/.test(line) ? 'url' : 'command'
  try {
    return { kind, ...explainEntry(kind === 'url' ? remote(line) : typed(line, options), reading) }
  } catch (error) {
    if (error instanceof CommandLineError) return { kind, ...unread(error.message, reading) }
    throw error
  }
}

/** Lines that end in a backslash continue on the next. */
function withoutContinuations(text: string): string {
  return text.replaceAll(/\\\r?\n/g, ' ')
}

/** JSON, also with comments, a table of TOML, or a mapping or list of YAML. */
function isDocument(text: string): boolean {
  const isJson = /^(?:[{["]|\/[/*])/.test(text)
  const isToml = text.split(lineEnds).some(isTableHeader)
  const isYaml = /^(?:#.*\r?\n\s*)*(?:---|- |[\w.-]+:(?:\s|$))/.test(text)
  return isJson || isToml || isYaml
}

const lineEnds = /[\n\r\u2028\u2029]/

/** `[servers.one]`, also before a comment. */
function isTableHeader(line: string): boolean {
  const text = line.trim()
  return text.startsWith('[') && /\]\s*(?:#|$)/.test(text.slice(2))
}

function explainDocument(text: string, options: ReadConfigOptions): ConfigExplanation {
  if (isNamedEntry.test(text)) return leftByOne(explainConfig(`{${text}}`, options))
  const opened = openDocument(text, options)
  const document = 'dialect' in opened ? opened.document : parseAny(text, options)
  const isOther = 'dialect' in opened && opened.dialect.name !== 'llm-sdk'
  const bare = options.dialect !== undefined || isOther || !('root' in document) ? undefined : document
  const dialect = bare && bareEntryDialect(bare.root)
  return explainOpened(bare && dialect ? { document: bare, dialect } : opened, options)
}

/** Documentation often shows an entry with its name and without the braces around it. */
const isNamedEntry = /^\s*"[^"]+"\s*:/

/** Positions in the first line, without the brace that was added before it. */
function leftByOne(explained: ConfigExplanation): ConfigExplanation {
  const moved = <T extends { readonly line?: number; readonly column?: number }>(located: T): T =>
    located.line === 1 && located.column !== undefined
      ? { ...located, column: Math.max(1, located.column - 1) }
      : located
  return {
    ...explained,
    fields: explained.fields.map(moved),
    issues: explained.issues.map(moved),
    servers: explained.servers.map((spec) => ({ ...spec, source: moved(spec.source) })),
  }
}

interface Entry {
  readonly name: string
  readonly entry: object
}

function remote(url: string): Entry {
  return { name: nameOfUrl(url), entry: { url } }
}

function typed(line: string, { platform }: ExplainPastedOptions): Entry {
  const words = commandWords(line.replace(/^[$>]\s+/, ''), platform)
  if (isHostCommand(words)) return ofHost(words)
  const inJson = jsonOfHost(words)
  if (inJson !== undefined) return inJson
  const start = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word))
  const [command, ...args] = words.slice(start)
  if (start === -1 || command === undefined) throw new CommandLineError('the text names no program')
  return {
    name: nameOfCommand([command, ...args]),
    entry: { command, args, ...named('env', words.slice(0, start)) },
  }
}

function ofHost(words: readonly string[]): Entry {
  const { name, type, url, env, headers, words: program } = hostCommand(words)
  const [command, ...args] = program
  const target = url === undefined ? { command, args } : { url }
  const entry = { ...target, ...(type === undefined ? {} : { type }) }
  return { name, entry: { ...entry, ...named('env', env), ...named('headers', headers) } }
}

/** The entry in `claude mcp add-json <name> <json>` or `code --add-mcp <json>`, where the JSON has the name. */
function jsonOfHost([program, ...words]: readonly string[]): Entry | undefined {
  if (program === 'claude' && words[0] === 'mcp' && words[1] === 'add-json') {
    const [name, json] = words
      .slice(2)
      .filter((word, index, all) => !isScope(word) && !isScope(all[index - 1]))
    if (name === undefined || json === undefined)
      throw new CommandLineError('invalid claude mcp add-json: expected a name, then JSON')
    return { name, entry: parsedEntry(json) }
  }
  const at = program?.startsWith('code') === true ? words.indexOf('--add-mcp') : -1
  if (at === -1) return undefined
  const { name, ...entry } = parsedEntry(words[at + 1] ?? '')
  if (typeof name !== 'string') throw new CommandLineError('invalid code --add-mcp: the JSON has no name')
  return { name, entry }
}

function isScope(word: string | undefined): boolean {
  return word === '-s' || word === '--scope'
}

function parsedEntry(json: string): Readonly<Record<string, unknown>> {
  try {
    const entry: unknown = JSON.parse(json)
    if (isJsonObject(entry)) return entry
  } catch {
    // Refused below, as is JSON that is no object.
  }
  throw new CommandLineError('the JSON in the command is not an object; put it in single quotes')
}

/** Pairs as a field of an entry. No message quotes a value: it may be a secret. */
function named(field: 'env' | 'headers', pairs: readonly string[]): object {
  if (pairs.length === 0) return {}
  const found = pairs.map((pair) => {
    const [, name, separator, value] = /^([^=:]+)([=:])([^]*)$/.exec(pair) ?? []
    if (name === undefined || value === undefined)
      throw new CommandLineError(`invalid ${field}: expected NAME=value`)
    return [name, separator === ':' ? value.trimStart() : value] as const
  })
  return { [field]: Object.fromEntries(found) }
}

/** The text that is read is not the one that was pasted, so there are no positions. */
function explainEntry({ name, entry }: Entry, options: ReadConfigOptions): ConfigExplanation {
  const text = JSON.stringify({ mcpServers: { [name]: entry } })
  const { positions: _positions, ...explained } = explainConfig(text, { ...options, dialect: 'mcp-servers' })
  return {
    ...explained,
    fields: [],
    servers: explained.servers.map((spec) => ({ ...spec, source: withoutPosition(spec.source) })),
    issues: explained.issues.map(withoutPosition),
  }
}

function withoutPosition<T extends { readonly line?: number; readonly column?: number }>(
  located: T,
): Omit<T, 'line' | 'column'> {
  const { line: _line, column: _column, ...rest } = located
  return rest
}

function unread(message: string, { file }: ReadConfigOptions): ConfigExplanation {
  const fix = 'paste a configuration, a URL, or a command such as npx -y some-server'
  const issue = { code: 'command_invalid', severity: 'error', file, path: '', message, fix } as const
  return { dialect: '', servers: [], issues: [issue], fields: [], policies: [], facts: [] }
}
