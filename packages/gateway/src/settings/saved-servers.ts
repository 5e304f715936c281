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

/** Throws a `ConfigError` if a name is already used by a server of the operator. */
export function refuseTakenNames(servers: ClearServers, taken: ReadonlySet<string>): void {
  const issues = Object.keys(servers)
    .filter((name) => taken.has(name))
    .map(takenName)
  if (issues.length > 0) throw ConfigError.of(issues)
}

/** Converts saved servers to server definitions; `issues` explains those that are invalid. */
export function definitionsOf(
  servers: ClearServers,
  taken: ReadonlySet<string>,
): { readonly specs: readonly ServerSpec[]; readonly issues: readonly Issue[] } {
  const { servers: specs, issues } = readConfig(JSON.stringify({ mcpServers: servers }), storedReading)
  return {
    specs: specs.filter(({ name }) => !taken.has(name)),
    issues: [...issues, ...specs.filter(({ name }) => taken.has(name)).map(({ name }) => takenName(name))],
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
