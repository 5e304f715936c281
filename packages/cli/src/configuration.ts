import { ConfigError } from '@toolbridge/bridge'
import {
  type DiscoveredConfig,
  type DiscoverOptions,
  discoverConfigs,
  type FoundConfigFile,
  findConfigFile,
  type Issue,
  mergeConfigs,
  readConfig,
  readConfigText,
  type ServerSpec,
} from '@toolbridge/bridge/config'
import { type Colors, colorsFor } from './colors.ts'
import { type Options, textOption } from './command.ts'
import { printable } from './printable.ts'
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
 * Reads the configuration in use, or with `--discover` those of every known host merged. Returns undefined if there is
 * none. Throws if a file that was named explicitly does not exist.
 */
export async function loadConfiguration(
  terminal: Terminal,
  options: Options,
): Promise<LoadedConfiguration | undefined> {
  const search = searchOptions(terminal, options)
  const found = await findConfigFile(search)
  if (options['discover'] === true) return mergedConfiguration(await discoverConfigs(search))
  if (found === undefined) return undefined
  const kind = sourceKinds[found.foundBy]
  const text = await readConfigText(found.file)
  if (typeof text !== 'string') throw ConfigError.of([text])
  const dialect = textOption(options, 'dialect')
  const read = readConfig(text, {
    file: found.file,
    kind,
    workspaceFolder: terminal.cwd,
    ...(dialect === undefined ? {} : { dialect }),
  })
  const { file } = found
  return { file, files: [file], unreadable: isUnreadable(read) ? [file] : [], ...read }
}

/** Options for finding configuration files. */
export function searchOptions({ env, cwd }: Terminal, options: Options): DiscoverOptions {
  const flag = textOption(options, 'mcp')
  return { env, cwd, ...(flag === undefined ? {} : { flag }) }
}

function mergedConfiguration(found: readonly DiscoveredConfig[]): LoadedConfiguration | undefined {
  if (found.length === 0) return undefined
  const { servers, issues } = mergeConfigs(found)
  return {
    file: found.map(({ file }) => file).join(', '),
    files: found.map(({ file }) => file),
    dialect: [...new Set(found.map(({ reading }) => reading.dialect).filter(Boolean))].join(', '),
    servers: servers.map(({ spec }) => spec),
    issues,
    refused: found.flatMap(({ reading }) => reading.refused ?? []),
    unreadable: found.filter(({ reading }) => isUnreadable(reading)).map(({ file }) => file),
  }
}

/** A file named by the project's `.env` counts as the project's own. */
export const sourceKinds: Readonly<Record<FoundConfigFile['foundBy'], 'flag' | 'environment' | 'project'>> = {
  flag: 'flag',
  environment: 'environment',
  'env-file': 'project',
  project: 'project',
}

/** Like `loadConfiguration`, but throws if there is no usable configuration. Prints issues on stderr. */
export async function requireConfiguration(
  terminal: Terminal,
  options: Options,
): Promise<LoadedConfiguration> {
  const loaded = await loadConfiguration(terminal, options)
  if (loaded === undefined) throw new UsageError(missingConfiguration)
  if (isUnreadable(loaded)) throw ConfigError.of(loaded.issues)
  printIssues(terminal, loaded.issues)
  return loaded
}

/** Whether errors leave no usable server. */
function isUnreadable({ servers, issues }: Pick<LoadedConfiguration, 'servers' | 'issues'>): boolean {
  return servers.length === 0 && issues.some((issue) => issue.severity === 'error')
}

/** Prints issues of a configuration on stderr. */
export function printIssues(terminal: Terminal, issues: readonly Issue[]): void {
  const colors = colorsFor(terminal, terminal.stderr)
  for (const issue of issues) printError(terminal, describeIssue(issue, colors))
}

const missingConfiguration = [
  'no MCP configuration found.',
  'Name one with --mcp <file> or TOOLBRIDGE_MCP_FILE, use the files of other hosts with --discover (see: toolbridge config',
  'list), or create .toolbridge/mcp.json, for example:',
  '  { "mcpServers": { "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."] } } }',
].join('\n')

/** One issue as a line: location, problem and fix. */
export function describeIssue(issue: Issue, colors: Colors): string {
  const location = issue.line === undefined ? issue.file : `${issue.file}:${issue.line}:${issue.column ?? 1}`
  const pointer = issue.path === '' ? '' : ` ${issue.path}`
  const label = issue.severity === 'error' ? colors.red('error') : colors.yellow('warning')
  return `${printable(location + pointer)}: ${label}: ${printable(`${issue.message} (${issue.fix})`)}`
}
