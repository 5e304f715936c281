import {
  type DescribeRulesResponse,
  describeRulesRequestSchema,
  dryRunRequestSchema,
  type PermissionsResponse,
  type SavePermissionsResponse,
  savePermissionsRequestSchema,
  testPermissionRequestSchema,
} from '@toolbridge/api'
import type { Handler } from 'hono'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { readBody } from '../http/read-body.ts'
import { dryRunRules } from '../permissions/dry-run-rules.ts'
import { testPermission } from '../permissions/test-permission.ts'
import type { GatewayServices } from '../services.ts'

/** `GET /api/permissions`: returns the caller's own rules. */
export function showPermissions(services: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const { rules, version } = await services.ownRules.read(context.var.principal.id)
    const answer: PermissionsResponse = {
      rules,
      ...(version === undefined ? {} : { version }),
      gatewayMode: services.permissions?.mode ?? 'ask',
    }
    return context.json(answer)
  }
}

/** `PUT /api/permissions`: replaces the caller's own rules, for calls that begin from now on. */
export function savePermissions({
  ownRules,
  refreshPermissions,
  events,
}: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const owner = context.var.principal.id
    const { rules, version: expected } = await readBody(context, savePermissionsRequestSchema)
    const version = await ownRules.save(owner, rules, expected)
    await refreshPermissions(owner)
    events.publish(owner, { type: 'permissions', version })
    return context.json({ success: true, version } satisfies SavePermissionsResponse)
  }
}

/** `POST /api/permissions/describe`: explains rules and which of the caller's tools each covers. */
export function describePermissions({ ownRules, owners }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const { rules } = await readBody(context, describeRulesRequestSchema)
    const { bridge } = await owners.open(context.var.principal.id)
    const described = ownRules.describe(rules, bridge.tools)
    return context.json({ rules: described } satisfies DescribeRulesResponse)
  }
}

/** `POST /api/permissions/test`: explains what rules say about a call of the caller, without making it. */
export function explainCall(services: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const { id } = context.var.principal
    const request = await readBody(context, testPermissionRequestSchema)
    const own = request.rules ?? (await services.ownRules.read(id)).rules
    const effective = await services.ownRules.effective(id, own)
    const tested = { effective, gateway: services.permissions ?? {}, own }
    return context.json(await testPermission(await services.owners.open(id), id, request, tested))
  }
}

/** `POST /api/permissions/dry-run`: evaluates rules on the caller's calls in the activity. */
export function dryRunPermissions({ ownRules, owners, activity }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const { id } = context.var.principal
    const { rules } = await readBody(context, dryRunRequestSchema)
    const effective = await ownRules.effective(id, rules)
    const { bridge } = await owners.open(id)
    const calls = await activity.calls(id)
    return context.json(await dryRunRules(effective, id, calls, bridge.tools, context.req.raw.signal))
  }
}
