import { ConfigError } from '@toolbridge/bridge'
import {
  type DiscoveredConfig,
  nameOfCommand,
  nameOfUrl,
  readConfig,
  type ServerSpec,
} from '@toolbridge/bridge/config'
import { parsedUrl } from '@toolbridge/client/internal'
import { type Options, textOptions } from '../command.ts'
import { UsageError } from '../usage-error.ts'
import { commandWords } from './command-words.ts'
import { distinctNames } from './server-name.ts'

const file = 'the command line'

/** The servers that `--stdio` and `--http` define; undefined without these options. They need no trust: the user typed them. */
export function typedServers(options: Options): DiscoveredConfig | undefined {
  const programs = textOptions(options, 'stdio').map((line) => programEntry(line, options))
  const remotes = textOptions(options, 'http').map((url) => remoteEntry(url, options))
  requireUse(options, programs.length > 0, remotes.length > 0)
  const all = [...programs, ...remotes]
  if (all.length === 0) return undefined
  const names = distinctNames(all.map(({ name }) => name))
  const servers = readEntries(Object.fromEntries(all.map(({ entry }, index) => [names[index], entry])))
  return { file, scope: 'flag', kind: 'flag', reading: { dialect: 'mcp-servers', servers, issues: [] } }
}

/** Whether `--stdio` or `--http` defines a server. */
export function isTyped({ source }: ServerSpec): boolean {
  return source.file === file
}

interface TypedEntry {
  readonly name: string
  readonly entry: object
}

function programEntry(line: string, options: Options): TypedEntry {
  const words = commandWords(line)
  const [command, ...args] = words
  if (command === undefined || command === '')
    throw new UsageError('invalid --stdio: expected a command, such as "npx -y some-server"')
  return {
    name: nameOfCommand(words),
    entry: { command, args, ...pairs('env', textOptions(options, 'env')) },
  }
}

function remoteEntry(url: string, options: Options): TypedEntry {
  requireUrl(url, 'http')
  return { name: nameOfUrl(url), entry: { url, ...pairs('headers', textOptions(options, 'header')) } }
}

function requireUse(options: Options, hasProgram: boolean, hasRemote: boolean): void {
  if (options['env'] !== undefined && !hasProgram) throw new UsageError('--env needs --stdio <command>')
  if (options['header'] !== undefined && !hasRemote) throw new UsageError('--header needs --http <url>')
}

/** Reads servers of a command line like entries of a file, with the same checks. Throws if one cannot be used. */
export function readEntries(entries: Readonly<Record<string, object>>): readonly ServerSpec[] {
  const text = JSON.stringify({ mcpServers: entries })
  const { servers, issues } = readConfig(text, { file, dialect: 'mcp-servers', kind: 'flag' })
  if (issues.length > 0) throw ConfigError.of(issues.map(withoutPosition))
  return servers.map((spec) => ({ ...spec, source: withoutPosition(spec.source) }))
}

/** The text that was read is not what the user typed. */
function withoutPosition<T extends { readonly line?: number; readonly column?: number }>(
  located: T,
): Omit<T, 'line' | 'column'> {
  const { line: _line, column: _column, ...rest } = located
  return rest
}

/** Throws if a text is no URL. One with a variable can be checked only when the server is reached. */
export function requireUrl(url: string, option: string): void {
  if (url.includes('${') || (/^(?:https?|wss?):/i.test(url) && parsedUrl(url) !== undefined)) return
  throw new UsageError(`invalid --${option}: expected a complete URL such as https://mcp.example.com/mcp`)
}

/** Pairs of `--env` or `--header`. A header may also be written with a colon. No message quotes a value: it may be a secret. */
export function pairs(
  field: 'env' | 'headers',
  given: readonly string[],
): Readonly<Partial<Record<'env' | 'headers', Readonly<Record<string, string>>>>> {
  if (given.length === 0) return {}
  const found = given.map((text) => {
    const [, name, separator, value] =
      (field === 'env' ? /^([^=]+)(=)([^]*)$/ : /^([^=:]+)([=:])([^]*)$/).exec(text) ?? []
    if (name === undefined || value === undefined)
      throw new UsageError(`invalid --${field === 'env' ? 'env' : 'header'}: expected NAME=value`)
    return [name, separator === ':' ? value.trimStart() : value] as const
  })
  return { [field]: Object.fromEntries(found) }
}
