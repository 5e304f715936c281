import { ConfigError, type Issue, readConfig, type ServerSpec } from '@toolbridge/bridge'
import type { SettingKey, Settings } from '@toolbridge/lockbox'
import { pointerTo } from '../errors/issues.ts'
import { type Program, type ProgramRules, programRefusals, sandboxed } from '../sandbox/sandboxed-program.ts'
import type { ClearServers } from './mask-servers.ts'

/** The setting that stores an owner's servers. */
export const serversKey: SettingKey = { namespace: 'mcp', name: 'servers' }

/** Options for reading saved servers as a configuration. */
export const storedReading: {
  readonly file: string
  readonly dialect: string
  readonly authority: 'session'
} = {
  file: 'stored settings',
  dialect: 'mcp-servers',
  authority: 'session',
}

/** One version of an owner's servers. */
export interface SavedServers {
  readonly servers: ClearServers
  readonly version: number
}

/** Returns the owner's current servers, or undefined if none were ever saved. */
export async function readSaved(settings: Settings, owner: string): Promise<SavedServers | undefined> {
  const stored = await settings.read(owner, serversKey)
  return stored === undefined ? undefined : { servers: serversIn(stored.value), version: stored.version }
}

/** Returns a version of the owner's servers, or undefined if there is none. */
export async function readSavedVersion(
  settings: Settings,
  owner: string,
  version: number,
): Promise<ClearServers | undefined> {
  const stored = await settings.readVersion(owner, serversKey, version)
  return stored && serversIn(stored.value)
}

/** Returns the definitions of those saved servers that are valid. */
export function specsOf(servers: ClearServers): readonly ServerSpec[] {
  return readConfig(JSON.stringify({ mcpServers: servers }), storedReading).servers
}

/** What may be saved. */
export interface SavingRules {
  /** Names of the operator's servers. */
  readonly taken: ReadonlySet<string>
  /** Which servers may be programs, which the gateway starts. */
  readonly programs: ProgramRules
}

const maxSavedServers = 100

/** Throws a `ConfigError` if a server may not be saved. */
export function refuseUnusable(servers: ClearServers, rules: SavingRules): void {
  const issues = savingIssues(specsOf(servers), rules)
  if (issues.length > 0) throw ConfigError.of(issues)
}

/** Throws a `ConfigError` if these are more servers than one person may save. */
export function refuseTooMany(servers: Readonly<Record<string, unknown>>): void {
  if (Object.keys(servers).length > maxSavedServers) throw ConfigError.of([tooManyServers])
}

/** Converts saved servers to server definitions; `issues` explains those that are invalid. */
export function definitionsOf(
  servers: ClearServers,
  rules: SavingRules,
): { readonly specs: readonly ServerSpec[]; readonly issues: readonly Issue[] } {
  const { servers: specs, issues } = readConfig(JSON.stringify({ mcpServers: servers }), storedReading)
  const refusals = new Map(specs.map((spec) => [spec, refusalsOf(candidateOf(spec), rules)]))
  const usable = specs.filter((spec) => refusals.get(spec)?.length === 0)
  return {
    specs: usable.map((spec) => sandboxed(spec, rules.programs)),
    issues: [...issues, ...[...refusals.values()].flat()],
  }
}

/** Returns those issues of saved servers that concern one of them. */
export function issuesAbout(name: string, issues: readonly Issue[]): readonly Issue[] {
  const pointer = pointerTo(['mcpServers', name])
  return issues.filter(({ path }) => path === pointer || path.startsWith(`${pointer}/`))
}

/** Returns why a saved server cannot be used. */
export function refusalOf(name: string, issues: readonly Issue[]): string {
  const [issue] = issuesAbout(name, issues)
  return issue === undefined ? 'the definition is invalid' : `${issue.message}; ${issue.fix}`
}

/** Returns why definitions could not be saved. */
export function savingIssues(specs: readonly ServerSpec[], rules: SavingRules): readonly Issue[] {
  return specs.flatMap((spec) => refusalsOf(candidateOf(spec), rules))
}

/** What decides whether a server may be saved. */
interface Candidate {
  readonly name: string
  /** Undefined for a server with a URL. */
  readonly program: Program | undefined
  readonly isDisabled: boolean
}

function candidateOf(spec: ServerSpec): Candidate {
  return {
    name: spec.name,
    program: spec.transport === 'stdio' ? spec : undefined,
    isDisabled: !spec.enabled,
  }
}

function refusalsOf(
  { name, program, isDisabled }: Candidate,
  { taken, programs }: SavingRules,
): readonly Issue[] {
  const refused = program === undefined || isDisabled ? [] : programRefusals(program, programs)
  return [
    ...(taken.has(name) ? [takenName(name)] : []),
    ...refused.map(({ field, message, fix }) => ({
      code: 'program_not_allowed',
      severity: 'error' as const,
      file: storedReading.file,
      path: pointerTo(['mcpServers', name, ...field]),
      message,
      fix,
    })),
  ]
}

const tooManyServers: Issue = {
  code: 'too_many_servers',
  severity: 'error',
  file: storedReading.file,
  path: pointerTo(['mcpServers']),
  message: `more than ${maxSavedServers} servers cannot be saved`,
  fix: 'remove servers that you do not use',
}

function takenName(name: string): Issue {
  return {
    code: 'name_taken',
    severity: 'error',
    file: storedReading.file,
    path: pointerTo(['mcpServers', name]),
    message: `the gateway's configuration file already has a server "${name}"`,
    fix: 'choose another name',
  }
}

/** The value was validated when it was saved. */
function serversIn(value: unknown): ClearServers {
  return (value as { readonly mcpServers: ClearServers }).mcpServers
}
