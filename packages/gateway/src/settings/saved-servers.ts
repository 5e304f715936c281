import { type SaveConfigRequest, saveConfigRequestSchema } from '@toolbridge/api'
import { ConfigError, type Issue, readConfig, type ServerSpec } from '@toolbridge/bridge'
import type { SettingKey, Settings } from '@toolbridge/lockbox'
import { GatewayError } from '../errors/gateway-error.ts'
import { pointerStep } from '../http/read-body.ts'
import { type ClearServers, restoreSecrets, secretReferences } from './mask-servers.ts'

/** Where an owner's servers are kept. */
export const serversKey: SettingKey = { namespace: 'mcp', name: 'servers' }

/** How saved servers are read: as the document they are, wherever the text comes from. */
export const storedReading: { readonly file: string; readonly dialect: string } = {
  file: 'stored settings',
  dialect: 'mcp-servers',
}

/** One version of an owner's servers. */
export interface SavedServers {
  readonly servers: ClearServers
  readonly version: number
}

/** The owner's current servers, or nothing when none were ever saved. */
export async function readSaved(settings: Settings, owner: string): Promise<SavedServers | undefined> {
  const stored = await settings.read(owner, serversKey)
  return stored === undefined ? undefined : { servers: serversIn(stored.value), version: stored.version }
}

/** The servers of a save with every kept value back in its place. Throws when a reference leads nowhere. */
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
    throw new GatewayError('invalid_request', 'a value that was to be kept is not there', issues)
  return servers
}

/** Refuses names that the operator's own file already uses: the two would be one server to every caller. */
export function refuseTakenNames(servers: ClearServers, taken: ReadonlySet<string>): void {
  const issues = Object.keys(servers)
    .filter((name) => taken.has(name))
    .map(takenName)
  if (issues.length > 0) throw ConfigError.of(issues)
}

/** Saved servers as definitions, and why those that make none do not. */
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
    path: `/mcpServers${pointerStep(name)}`,
    message: `the file that the gateway was started with already has a server "${name}"`,
    fix: 'give this one another name',
  }
}

/** What was stored had this shape when it was saved, so a mismatch is a bug and not an issue of the owner's. */
function serversIn(value: unknown): ClearServers {
  return restoreSecrets(saveConfigRequestSchema.parse(value).mcpServers, new Map()).servers
}
