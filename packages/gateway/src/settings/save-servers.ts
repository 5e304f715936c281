import type { DestinationChange, ProblemIssue, SaveConfigResponse } from '@toolbridge/api'
import { LockboxError, type SavedSetting, type Settings } from '@toolbridge/lockbox'
import { GatewayError } from '../errors/gateway-error.ts'
import { pointerTo } from '../errors/issues.ts'
import type { GatewayServices } from '../services.ts'
import { destinationChanges, unconfirmed } from './kept-destinations.ts'
import { type ClearServers, type RequestedServers, referencesIn, restoreSecrets } from './mask-servers.ts'
import { readSaved, readSavedVersion, type SavedServers, serversKey } from './saved-servers.ts'

type SavingServices = Pick<GatewayServices, 'settings' | 'owners' | 'workflows' | 'events'>

type ChangingServices = SavingServices & Pick<GatewayServices, 'changes' | 'stopping'>

/** Saves the servers of an owner as a new version and applies them in the background. Call `refuseUnusable` before. */
export async function saveServers(
  { settings, owners, workflows, events }: SavingServices,
  owner: string,
  servers: ClearServers,
  expectedVersion?: number,
): Promise<SavedSetting> {
  const expected = expectedVersion === undefined ? {} : { expectedVersion }
  const value = { mcpServers: servers }
  const saved = await settings.save(owner, serversKey, value, { createdBy: owner, ...expected })
  events.publish(owner, { type: 'config', version: saved.version })
  owners.applySaved(owner, { servers, version: saved.version })
  void workflows.closeClients(owner)
  return saved
}

/**
 * Saves a change of the current servers. Without an expected version, a concurrent save is no conflict: the change is made
 * again. The changes of an owner are made one after another: otherwise each would be made again after every other.
 */
export function changeServers(
  services: ChangingServices,
  owner: string,
  change: (current: SavedServers) => ClearServers | Promise<ClearServers>,
  expectedVersion?: number,
): Promise<SavedSetting> {
  const { changes, stopping } = services
  return changes.run(owner, stopping, () => changeUntilSaved(services, owner, change, expectedVersion))
}

async function changeUntilSaved(
  services: SavingServices,
  owner: string,
  change: (current: SavedServers) => ClearServers | Promise<ClearServers>,
  expectedVersion: number | undefined,
): Promise<SavedSetting> {
  for (;;) {
    const current = (await readSaved(services.settings, owner)) ?? { servers: {}, version: 0 }
    const servers = await change(current)
    try {
      return await saveServers(services, owner, servers, expectedVersion ?? current.version)
    } catch (error) {
      const isConflict = error instanceof LockboxError && error.code === 'version_conflict'
      if (expectedVersion !== undefined || !isConflict) throw error
    }
  }
}

/**
 * Replaces the references of requested servers by the saved secrets. Throws a `GatewayError` if one does not exist, or would be
 * sent to another destination without a confirmation.
 */
export async function restoreSavedSecrets(
  settings: Settings,
  owner: string,
  requested: RequestedServers,
  confirmed: readonly DestinationChange[],
): Promise<ClearServers> {
  const references = Object.entries(requested).flatMap(([server, entry]) => referencesIn(server, entry))
  const versions = new Map<number, ClearServers>()
  for (const version of new Set(references.map((reference) => reference.version))) {
    const saved = await readSavedVersion(settings, owner, version)
    if (saved !== undefined) versions.set(version, saved)
  }
  const { servers, issues } = restoreSecrets(requested, versions)
  if (issues.length > 0)
    throw new GatewayError('invalid_request', 'a referenced secret does not exist', issues)
  const moved = unconfirmed(destinationChanges({ references, servers, versions }), confirmed)
  if (moved.length > 0) throw destinationUnconfirmed(moved)
  return servers
}

function destinationUnconfirmed(destinations: readonly DestinationChange[]): GatewayError {
  const issues = destinations.flatMap(({ server, fields, from, to }) =>
    fields.map((field) => ({
      path: pointerTo(['mcpServers', server]) + field,
      message: `the saved value is for ${from} and would be sent to ${to}; enter it again, or confirm the change`,
    })),
  )
  const message = 'saved secrets would be sent to another destination; nothing was saved'
  return new GatewayError('destination_unconfirmed', message, issues, { destinations })
}

/** The response to a save. */
export function savedResponse(
  { id, version, createdAt }: SavedSetting,
  warnings: readonly ProblemIssue[] = [],
): SaveConfigResponse {
  const shown = warnings.length > 0 ? { warnings } : {}
  return { success: true, id, version, createdAt: createdAt.toISOString(), ...shown }
}
