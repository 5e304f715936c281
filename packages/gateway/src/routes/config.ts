import {
  type ConfigDiffResponse,
  type ConfigResponse,
  type ConfigVersionsResponse,
  rollbackRequestSchema,
} from '@toolbridge/api'
import { LockboxError } from '@toolbridge/lockbox'
import type { Context, Handler } from 'hono'
import { GatewayError } from '../errors/gateway-error.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { readBody, readText, settingsLimits } from '../http/read-body.ts'
import type { GatewayServices } from '../services.ts'
import { clearServers, maskServers } from '../settings/mask-servers.ts'
import { parseSaveRequest } from '../settings/save-request.ts'
import { restoreSavedSecrets, savedResponse, saveServers } from '../settings/save-servers.ts'
import { type NumberedServers, shownChanges } from '../settings/shown-changes.ts'
import {
  readSaved,
  readSavedVersion,
  refuseTooMany,
  refuseUnusable,
  serversKey,
} from '../settings/saved-servers.ts'

/** `GET /api/mcp/config`: returns the caller's saved servers; with `?masked=1`, references instead of secrets. */
export function showConfig({ settings }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const saved = await readSaved(settings, context.var.principal.id)
    if (saved === undefined) return context.json({ mcpServers: {} } satisfies ConfigResponse)
    const { servers, version } = saved
    const isMasked = context.req.query('masked') === '1'
    const mcpServers = isMasked ? maskServers(servers, version) : clearServers(servers)
    return context.json({ mcpServers, version } satisfies ConfigResponse)
  }
}

/** `POST /api/mcp/config`: saves the servers as a new version and applies it in the background. */
export function saveConfig(services: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const owner = context.var.principal.id
    const request = parseSaveRequest(await readText(context, settingsLimits))
    const { settings, owners } = services
    const { confirmedDestinations } = request
    const servers = await restoreSavedSecrets(settings, owner, request.servers, confirmedDestinations)
    refuseUnusable(servers, owners.savingRules(owner))
    refuseTooMany(servers)
    const saved = await saveServers(services, owner, servers, request.version)
    return context.json(savedResponse(saved, request.warnings))
  }
}

/** `GET /api/mcp/config/versions`: lists the versions of the caller's servers that are kept. */
export function listConfigVersions({ settings }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const versions = await settings.history(context.var.principal.id, serversKey)
    const answer: ConfigVersionsResponse = {
      versions: versions.map(({ createdAt, lastUsedAt, ...version }) => ({
        ...version,
        createdAt: createdAt.toISOString(),
        ...(lastUsedAt === undefined ? {} : { lastUsedAt: lastUsedAt.toISOString() }),
      })),
    }
    return context.json(answer)
  }
}

/** `GET /api/mcp/config/diff`: returns where two versions of the caller's servers differ, without values that may be secrets. */
export function diffConfig({ settings }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const [from, to] = [versionParameter(context, 'from'), versionParameter(context, 'to')]
    const owner = context.var.principal.id
    const changes = await settings.diff(owner, serversKey, from, to)
    const versionOf = async (version: number): Promise<NumberedServers> => ({
      version,
      servers: (await readSavedVersion(settings, owner, version)) ?? {},
    })
    const shown = shownChanges(changes, await versionOf(from), await versionOf(to))
    return context.json({ from, to, changes: shown } satisfies ConfigDiffResponse)
  }
}

/** `POST /api/mcp/config/rollback`: saves an earlier version again, under the present rules, and applies it. */
export function rollBackConfig(services: GatewayServices): Handler<GatewayEnv> {
  const { settings, owners } = services
  return async (context) => {
    const owner = context.var.principal.id
    const { version, expectedVersion } = await readBody(context, rollbackRequestSchema)
    const earlier = await readSavedVersion(settings, owner, version)
    if (earlier === undefined) throw unknownVersion(version)
    refuseUnusable(earlier, owners.savingRules(owner))
    return context.json(savedResponse(await saveServers(services, owner, earlier, expectedVersion)))
  }
}

function versionParameter(context: Context<GatewayEnv>, name: 'from' | 'to'): number {
  const text = context.req.query(name) ?? ''
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new GatewayError('invalid_request', `"${name}" must be the number of a version`)
}

function unknownVersion(version: number): LockboxError {
  return new LockboxError('version_not_found', `there is no version ${version}, or it is no longer kept`)
}
