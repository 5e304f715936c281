import { type SaveConfigRequest, saveConfigRequestSchema } from '@toolbridge/api'
import { ConfigError, type Issue, readConfig, type ServerSpec } from '@toolbridge/bridge'
import type { SettingKey, Settings } from '@toolbridge/lockbox'
import { GatewayError } from '../errors/gateway-error.ts'
import { pointerTo } from '../errors/issues.ts'
import { type ClearServers, restoreSecrets, secretReferences } from './mask-servers.ts'

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
  /** Whether a server may be a program, which the gateway starts. */
  readonly mayBePrograms: boolean
}

/** Throws a `ConfigError` if a server may not be saved. */
export function refuseUnusable(servers: ClearServers, rules: SavingRules): void {
  const issues = Object.entries(servers).flatMap(([name, entry]) =>
    refusalsOf(name, 'url' in entry, entry.disabled === true, rules),
  )
  if (issues.length > 0) throw ConfigError.of(issues)
}

/** Converts saved servers to server definitions; `issues` explains those that are invalid. */
export function definitionsOf(
  servers: ClearServers,
  rules: SavingRules,
): { readonly specs: readonly ServerSpec[]; readonly issues: readonly Issue[] } {
  const { servers: specs, issues } = readConfig(JSON.stringify({ mcpServers: servers }), storedReading)
  const refusals = new Map(
    specs.map((spec) => [spec, refusalsOf(spec.name, spec.transport !== 'stdio', !spec.enabled, rules)]),
  )
  return {
    specs: specs.filter((spec) => refusals.get(spec)?.length === 0),
    issues: [...issues, ...[...refusals.values()].flat()],
  }
}

/** Returns why definitions could not be saved. */
export function savingIssues(specs: readonly ServerSpec[], rules: SavingRules): readonly Issue[] {
  return specs.flatMap((spec) => refusalsOf(spec.name, spec.transport !== 'stdio', !spec.enabled, rules))
}

function refusalsOf(
  name: string,
  isRemote: boolean,
  isDisabled: boolean,
  { taken, mayBePrograms }: SavingRules,
): readonly Issue[] {
  return [
    ...(taken.has(name) ? [takenName(name)] : []),
    ...(isRemote || isDisabled || mayBePrograms ? [] : [programRefused(name)]),
  ]
}

/** The message for saved programs where the gateway starts none. */
export const noPrograms =
  'others than its owner can use this gateway, so it does not start programs that were saved in the console'

function programRefused(name: string): Issue {
  return {
    code: 'program_not_allowed',
    severity: 'error',
    file: storedReading.file,
    path: pointerTo(['mcpServers', name, 'command']),
    message: noPrograms,
    fix: 'use a server with a URL, disable it, or ask the operator to add it to the configuration file of the gateway',
  }
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
