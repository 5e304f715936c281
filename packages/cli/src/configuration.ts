import { ConfigError } from '@toolbridge/bridge'
import {
  type ConfigSearch,
  type DiscoveredConfig,
  discoverConfigs,
  findConfigs,
  type Issue,
  mergeConfigs,
  needsTrust,
  type SearchOptions,
  type ServerSpec,
} from '@toolbridge/bridge/config'
import { printable } from '@toolbridge/client/internal'
import { type Colors, colorsFor } from './colors.ts'
import { type Options, textOption } from './command.ts'
import { NoConfigurationError } from './no-configuration-error.ts'
import { typedServers } from './servers/typed-servers.ts'
import { printError, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

export interface LoadedConfiguration {
  /** The file, or the list of merged files. */
  readonly file: string
  readonly files: readonly string[]
  readonly dialect: string
  readonly servers: readonly ServerSpec[]
  readonly issues: readonly Issue[]
  /** Names of entries that cannot be used. */
  readonly refused?: readonly string[]
  /** Files with errors and without a usable server. */
  readonly unreadable: readonly string[]
}

/**
 * Reads the configuration in use, or with `--discover` that of every known host. Files are merged by name. Returns undefined
 * if there is none. Throws if a file that was named explicitly does not exist.
 */
export async function loadConfiguration(
  terminal: Terminal,
  options: Options,
): Promise<LoadedConfiguration | undefined> {
  const typed = typedServers(options)
  const found = await (typed === undefined
    ? readConfigurations(terminal, options)
    : readBeside(typed, terminal, options))
  return found.configs.length === 0 ? undefined : mergedConfiguration(found)
}

/** Servers of the command line, and those of files only if one was named. */
async function readBeside(
  typed: DiscoveredConfig,
  terminal: Terminal,
  options: Options,
): Promise<FoundConfigurations> {
  const isAlone = options['mcp'] === undefined && options['discover'] !== true
  if (isAlone && options['dialect'] !== undefined) throw new UsageError(dialectOfMany)
  if (isAlone) return { configs: [typed], restrictions: [] }
  const { configs, restrictions } = await readConfigurations(terminal, options)
  return { configs: [typed, ...configs], restrictions }
}

/** The files of `loadConfiguration`, in order of precedence. */
export async function readConfigurations(terminal: Terminal, options: Options): Promise<FoundConfigurations> {
  const search = searchOptions(terminal, options)
  if (options['discover'] !== true) {
    const found = await findConfigs(search)
    if (search.dialect !== undefined && found.searched.length > 0) throw new UsageError(dialectOfMany)
    return found
  }
  if (search.dialect !== undefined && search.flag === undefined) throw new UsageError(dialectOfMany)
  const configs = await discoverConfigs(search)
  requireNamed(configs)
  return { configs, restrictions: [] }
}

/** Configuration files, and those that only restrict their servers. */
type FoundConfigurations = Pick<ConfigSearch, 'configs' | 'restrictions'>

const dialectOfMany = '--dialect is about one file. Name the file with --mcp <file> or TOOLBRIDGE_MCP_FILE'

/** Throws if a file that the user named for Toolbridge is missing. Variables of other hosts may be out of date. */
function requireNamed(found: readonly DiscoveredConfig[]): void {
  const missing = found
    .filter(({ namedBy = '' }) => /^(?:--mcp|TOOLBRIDGE_MCP_FILE)\b/.test(namedBy))
    .flatMap(({ reading }) => reading.issues.filter(({ code }) => code === 'file_missing'))
  if (missing.length > 0) throw ConfigError.of(missing)
}

/** Options for finding configuration files. */
export function searchOptions({ env, cwd, signal }: Terminal, options: Options): SearchOptions {
  const flag = textOption(options, 'mcp')
  const dialect = textOption(options, 'dialect')
  return {
    env,
    cwd,
    signal,
    ...(flag === undefined ? {} : { flag }),
    ...(dialect === undefined ? {} : { dialect }),
  }
}

function mergedConfiguration({ configs, restrictions }: FoundConfigurations): LoadedConfiguration {
  const found = [...configs, ...restrictions]
  const { servers, issues } = mergeConfigs(found)
  return {
    file: configs.map(({ file }) => file).join(', '),
    files: found.map(({ file }) => file),
    dialect: [...new Set(configs.map(({ reading }) => reading.dialect).filter(Boolean))].join(', '),
    servers: servers.map(({ spec }) => spec),
    issues,
    refused: found.flatMap(({ reading }) => reading.refused ?? []),
    unreadable: found.filter(({ reading }) => isUnreadable(reading)).map(({ file }) => file),
  }
}

/**
 * Like `loadConfiguration`, but with only the servers that `choose` returns, and throws if no server of it can be used.
 * Prints issues on stderr, except those of servers that the command does not use: `doctor` reports them.
 */
export async function chooseServers(
  terminal: Terminal,
  options: Options,
  choose: (servers: readonly ServerSpec[]) => readonly ServerSpec[] = (servers) => servers,
): Promise<LoadedConfiguration | undefined> {
  const loaded = await loadConfiguration(terminal, options)
  if (loaded === undefined) return undefined
  if (isUnreadable(loaded)) throw ConfigError.of(loaded.issues)
  const servers = choose(loaded.servers)
  const unused = loaded.servers.filter((spec) => !spec.enabled || !servers.includes(spec))
  printIssues(
    terminal,
    loaded.issues.filter((issue) => !unused.some((spec) => isAbout(issue, spec))),
  )
  return { ...loaded, servers }
}

/** Like `chooseServers`, but throws if there is no configuration. */
export async function requireConfiguration(
  terminal: Terminal,
  options: Options,
  choose?: (servers: readonly ServerSpec[]) => readonly ServerSpec[],
): Promise<LoadedConfiguration> {
  const chosen = await chooseServers(terminal, options, choose)
  if (chosen === undefined) throw await noConfiguration(terminal, options)
  return chosen
}

function isAbout({ file, path }: Issue, { source }: ServerSpec): boolean {
  return file === source.file && `${path}/`.startsWith(`${source.pointer}/`)
}

/**
 * The servers that need trust, of all commands with and without `--discover`. Throws if there is no configuration, or none of
 * the project that can be used. Prints issues of the project's files on stderr.
 */
export async function requireProjectServers(
  terminal: Terminal,
  options: Options,
): Promise<readonly ServerSpec[]> {
  const { configs } = await readConfigurations(terminal, { ...options, discover: true })
  if (configs.length === 0) throw await noConfiguration(terminal, options)
  const issues = configs.filter(({ kind }) => kind === 'project').flatMap(({ reading }) => reading.issues)
  const servers = mergeConfigs(configs)
    .servers.map(({ spec }) => spec)
    .filter(needsTrust)
  if (isUnreadable({ servers, issues })) throw ConfigError.of(issues)
  printIssues(terminal, issues)
  return servers
}

/** The error that there is no configuration, with where it was looked for. */
export async function noConfiguration(terminal: Terminal, options: Options): Promise<NoConfigurationError> {
  const { whereLooked } = await import('./nothing-found.ts')
  return new NoConfigurationError(await whereLooked(terminal, options), options)
}

/** Whether errors leave no usable server. */
function isUnreadable({ servers, issues }: Pick<LoadedConfiguration, 'servers' | 'issues'>): boolean {
  return servers.length === 0 && issues.some((issue) => issue.severity === 'error')
}

/** Prints issues of a configuration on stderr, the first hundred of them. */
export function printIssues(terminal: Terminal, issues: readonly Issue[]): void {
  if (issues.length === 0) return
  const colors = colorsFor(terminal, terminal.stderr)
  for (const issue of issues.slice(0, maxIssues)) printError(terminal, describeIssue(issue, colors))
  if (issues.length > maxIssues) printError(terminal, `… and ${issues.length - maxIssues} more`)
}

/** More do not help a person, and a file can have as many as it has entries. */
const maxIssues = 100

/** One issue as a line: location, problem and fix. */
function describeIssue(issue: Issue, colors: Colors): string {
  const location = issue.line === undefined ? issue.file : `${issue.file}:${issue.line}:${issue.column ?? 1}`
  const pointer = issue.path === '' ? '' : ` ${issue.path}`
  const label = issue.severity === 'error' ? colors.red('error') : colors.yellow('warning')
  return `${printable(location + pointer)}: ${label}: ${printable(`${issue.message} (${issue.fix})`)}`
}
