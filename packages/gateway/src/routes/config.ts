import type { ConfigResponse } from '@toolbridge/api'
import type { Handler } from 'hono'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { readText } from '../http/read-body.ts'
import type { GatewayServices } from '../services.ts'
import { clearServers, maskServers } from '../settings/mask-servers.ts'
import { parseSaveRequest } from '../settings/save-request.ts'
import { restoreSavedSecrets, savedResponse, saveServers } from '../settings/save-servers.ts'
import { readSaved, refuseTooMany, refuseUnusable } from '../settings/saved-servers.ts'

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
    const request = parseSaveRequest(await readText(context))
    const { settings, owners } = services
    const { confirmedDestinations } = request
    const servers = await restoreSavedSecrets(settings, owner, request.servers, confirmedDestinations)
    refuseUnusable(servers, owners.savingRules(owner))
    refuseTooMany(servers)
    const saved = await saveServers(services, owner, servers, request.version)
    return context.json(savedResponse(saved, request.warnings))
  }
}
