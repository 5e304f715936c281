import { readFile } from 'node:fs/promises'
import {
  ConfigError,
  type FoundConfigFile,
  findConfigFile,
  type Issue,
  readConfig,
  type ServerSpec,
  type SpecSource,
} from '@toolbridge/bridge'
import { type Colors, colorsFor, printable, printError, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

export interface LoadedConfiguration {
  readonly file: string
  readonly dialect: string
  readonly servers: readonly ServerSpec[]
  readonly issues: readonly Issue[]
}

/** Reads the configuration in force, or returns undefined when there is none. A broken document throws. */
export async function loadConfiguration(
  terminal: Terminal,
  flag: string | undefined,
): Promise<LoadedConfiguration | undefined> {
  const found = await findConfigFile({
    ...(flag === undefined ? {} : { flag }),
    env: terminal.env,
    cwd: terminal.cwd,
  })
  if (found === undefined) return undefined
  const kind = sourceKinds[found.origin]
  const read = readConfig(await readFile(found.file, 'utf8'), {
    file: found.file,
    kind,
    workspaceFolder: terminal.cwd,
  })
  return { file: found.file, ...read }
}

/** A file that the project's `.env` names is the project's as much as its own. */
const sourceKinds: Readonly<Record<FoundConfigFile['origin'], NonNullable<SpecSource['kind']>>> = {
  flag: 'flag',
  environment: 'environment',
  'env-file': 'project',
  project: 'project',
}

/** The same for commands that cannot do without servers; what is wrong with single entries is said on stderr. */
export async function requireConfiguration(
  terminal: Terminal,
  flag: string | undefined,
): Promise<LoadedConfiguration> {
  const loaded = await loadConfiguration(terminal, flag)
  if (loaded === undefined) throw new UsageError(missingConfiguration)
  if (loaded.servers.length === 0 && loaded.issues.some((issue) => issue.severity === 'error')) {
    throw ConfigError.of(loaded.issues)
  }
  const colors = colorsFor(terminal, terminal.stderr)
  for (const issue of loaded.issues) printError(terminal, describeIssue(issue, colors))
  return loaded
}

const missingConfiguration = [
  'no MCP configuration found.',
  'Name one with --mcp <file> or TOOLBRIDGE_MCP_FILE, or write .toolbridge/mcp.json, for example:',
  '  { "mcpServers": { "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."] } } }',
].join('\n')

/** One issue as a line a person can act on: where, what, and the way out. */
export function describeIssue(issue: Issue, colors: Colors): string {
  const place = issue.line === undefined ? issue.file : `${issue.file}:${issue.line}:${issue.column ?? 1}`
  const pointer = issue.path === '' ? '' : ` ${issue.path}`
  const label = issue.severity === 'error' ? colors.red('error') : colors.yellow('warning')
  return `${printable(place + pointer)}: ${label}: ${printable(`${issue.message} (${issue.fix})`)}`
}
