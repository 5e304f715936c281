import type { ConfigResponse, SaveConfigResponse } from '@toolbridge/api'
import type { Handler } from 'hono'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { readText } from '../http/read-body.ts'
import type { GatewayServices } from '../services.ts'
import { maskServers } from '../settings/mask-servers.ts'
import { parseSaveRequest } from '../settings/save-request.ts'
import { readSaved, refuseUnusable, restoreSavedSecrets, serversKey } from '../settings/saved-servers.ts'

/** `GET /api/mcp/config`: returns the caller's saved servers; with `?masked=1`, references instead of secrets. */
export function showConfig({ settings }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const saved = await readSaved(settings, context.var.principal.id)
    if (saved === undefined) return context.json({ mcpServers: {} } satisfies ConfigResponse)
    const { servers, version } = saved
    const isMasked = context.req.query('masked') === '1'
    const answer: ConfigResponse = { mcpServers: isMasked ? maskServers(servers, version) : servers, version }
    return context.json(answer)
  }
}

/** `POST /api/mcp/config`: saves the servers as a new version and applies it in the background. */
export function saveConfig({ settings, owners, workflows, events }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const owner = context.var.principal.id
    const request = parseSaveRequest(await readText(context))
    const mcpServers = await restoreSavedSecrets(settings, owner, request)
    refuseUnusable(mcpServers, owners.savingRules(owner))
    const expected = request.version === undefined ? {} : { expectedVersion: request.version }
    const saved = await settings.save(owner, serversKey, { mcpServers }, { createdBy: owner, ...expected })
    events.publish(owner, { type: 'config', version: saved.version })
    const { id, version, createdAt } = saved
    owners.applySaved(owner, { servers: mcpServers, version })
    void workflows.closeClients(owner)
    const warnings = request.warnings.length > 0 ? { warnings: request.warnings } : {}
    const answer: SaveConfigResponse = {
      success: true,
      id,
      version,
      createdAt: createdAt.toISOString(),
      ...warnings,
    }
    return context.json(answer)
  }
}
