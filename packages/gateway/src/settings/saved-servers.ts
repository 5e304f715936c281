import { type SaveConfigRequest, saveConfigRequestSchema } from '@toolbridge/api'
import { ConfigError, type Issue, readConfig, type ServerSpec } from '@toolbridge/bridge'
import type { SettingKey, Settings } from '@toolbridge/lockbox'
import { GatewayError } from '../errors/gateway-error.ts'
import { pointerTo } from '../errors/issues.ts'
import { type Program, type ProgramRules, programRefusals, sandboxed } from '../sandbox/sandboxed-program.ts'
import { type ClearEntry, type ClearServers, restoreSecrets, secretReferences } from './mask-servers.ts'

/** The setting that stores an owner's servers. */
export const serversKey: SettingKey = { namespace: 'mcp', name: 'servers' }

/** Options for reading saved servers as a configuration. */
export const storedReading: { readonly file: string; readonly dialect: string } = {
  file: 'stored settings',
  dialect: 'mcp-servers',
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

/** Replaces the references of a save request by the saved secrets. Throws a `GatewayError` if one does not exist. */
export async function restoreSavedSecrets(
  settings: Settings,
  owner: string,
  { mcpServers }: SaveConfigRequest,
): Promise<ClearServers> {
  const versions = new Map<number, ClearServers>()
  for (const version of new Set(secretReferences({ mcpServers }).map((reference) => reference.version))) {
    const stored = await settings.readVersion(owner, serversKey, version)
    if (stored !== undefined) versions.set(version, serversIn(stored.value))
  }
  const { servers, issues } = restoreSecrets(mcpServers, versions)
  if (issues.length > 0)
    throw new GatewayError('invalid_request', 'a referenced secret does not exist', issues)
  return servers
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
  const entries = Object.entries(servers)
  const issues = entries.flatMap(([name, entry]) =>
    refusalsOf({ name, program: programOf(entry), isDisabled: entry.disabled === true }, rules),
  )
  if (entries.length > maxSavedServers) issues.push(tooManyServers)
  if (issues.length > 0) throw ConfigError.of(issues)
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

function programOf(entry: ClearEntry): Program | undefined {
  return 'url' in entry ? undefined : { command: entry.command, args: entry.args, env: entry.env ?? {} }
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

/** The value was validated when it was saved: a mismatch is a bug, not an input error. */
function serversIn(value: unknown): ClearServers {
  return restoreSecrets(saveConfigRequestSchema.parse(value).mcpServers, new Map()).servers
}
