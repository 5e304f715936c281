import { createHash } from 'node:crypto'
import type { GrantSummary, GrantsResponse, PinsResponse } from '@toolbridge/api'
import type { Grant } from '@toolbridge/bridge/permissions'
import type { Handler } from 'hono'
import { GatewayError } from '../errors/gateway-error.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { consoleOrigin } from '../owners/owner-bridge.ts'
import type { GatewayServices } from '../services.ts'

/** `GET /api/grants`: lists the caller's permanent approvals. */
export function listGrants({ grants }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const kept = await grants.list(context.var.principal.id)
    const answer: GrantsResponse = { grants: kept.map(summaryOf).toSorted(byName) }
    return context.json(answer)
  }
}

/** `DELETE /api/grants/:id`: revokes a permanent approval of the caller. */
export function revokeGrant({ grants }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const kept = await grants.list(context.var.principal.id)
    const grant = kept.find((each) => idOf(each) === context.req.param('id'))
    if (grant === undefined) throw new GatewayError('unknown_grant', 'list the grants to see their ids')
    await grants.remove(grant)
    return context.json({ success: true })
  }
}

/** `GET /api/pins`: lists what the caller approved of the tools, and what has changed since. */
export function listPins({ owners }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const { id } = context.var.principal
    const { bridge } = await owners.open(id)
    const pins = await bridge.pins.list({ origin: consoleOrigin(id) })
    return context.json({ pins } satisfies PinsResponse)
  }
}

/** `POST /api/pins/:tool/accept`: approves a tool as it is now. */
export function acceptPin({ owners }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const { id } = context.var.principal
    const { bridge } = await owners.open(id)
    const tool = context.req.param('tool') ?? ''
    if (!(await bridge.pins.accept(tool, { origin: consoleOrigin(id) })))
      throw new GatewayError('unknown_tool', `there is no tool "${tool}"`)
    return context.json({ success: true })
  }
}

/** `DELETE /api/pins/:tool`: forgets what the caller approved of a tool. */
export function removePin({ owners }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const { id } = context.var.principal
    const { bridge } = await owners.open(id)
    if (!(await bridge.pins.remove(context.req.param('tool') ?? '', { origin: consoleOrigin(id) })))
      throw new GatewayError('unknown_pin', 'list the pins to see the tools')
    return context.json({ success: true })
  }
}

function summaryOf(grant: Grant): GrantSummary {
  const { server, tool, asks } = grant
  return { id: idOf(grant), server, tool, asks }
}

/** Grants have no id of their own. The hashes in it are not shown: they would identify definitions with secrets. */
function idOf({ principal, server, definition, tool, pin, asks }: Grant): string {
  const fields = JSON.stringify([principal, server, definition, tool, pin, asks])
  return createHash('sha256').update(fields).digest('hex').slice(0, 32)
}

function byName(one: GrantSummary, other: GrantSummary): number {
  return nameOf(one) < nameOf(other) ? -1 : 1
}

function nameOf({ server, tool, id }: GrantSummary): string {
  return JSON.stringify([server, tool, id])
}
