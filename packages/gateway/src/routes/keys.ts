import {
  type CreateKeyResponse,
  createKeyRequestSchema,
  type KeyScope,
  type KeySummary,
  type KeysResponse,
  type RevokeKeyResponse,
} from '@toolbridge/api'
import type { BearerToken } from '@toolbridge/lockbox'
import type { Handler } from 'hono'
import { GatewayError } from '../errors/gateway-error.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { readBody } from '../http/read-body.ts'
import type { GatewayServices } from '../services.ts'
import { isAdministrator } from '../sign-in/principal.ts'

const dayMs = 24 * 60 * 60_000
const defaultDays = 90

/** `POST /api/keys`: creates an API key of the caller. Its token is in this response only. */
export function createKey({ tokens }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const { name, scopes, expiresInDays = defaultDays } = await readBody(context, createKeyRequestSchema)
    const key = { name, scopes: [...new Set(scopes)], lifetimeMs: expiresInDays * dayMs }
    const { token, stored } = await tokens.createKey(context.var.principal, key)
    return context.json({ key: summaryOf(stored), token } satisfies CreateKeyResponse)
  }
}

/** `GET /api/keys`: lists the caller's keys; with `?everyone=1`, which requires an administrator, those of all people. */
export function listKeys({ tokens }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const { principal } = context.var
    const isForEveryone = context.req.query('everyone') === '1'
    if (isForEveryone && !isAdministrator(principal))
      throw new GatewayError('forbidden', 'only administrators can list the keys of everyone')
    const keys = await tokens.keys(isForEveryone ? { of: 'everyone' } : { of: 'owner', owner: principal.id })
    return context.json({ keys: keys.map(summaryOf) } satisfies KeysResponse)
  }
}

/** `DELETE /api/keys/:id`: revokes a key of the caller; administrators can revoke that of anyone. */
export function revokeKey({ tokens }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const { principal } = context.var
    const id = context.req.param('id') ?? ''
    const isRevoked = isAdministrator(principal)
      ? await tokens.revokeAnyKey(id)
      : await tokens.revokeKey(principal.id, id)
    if (!isRevoked) throw new GatewayError('unknown_key', 'list the keys to see their ids')
    return context.json({ success: true } satisfies RevokeKeyResponse)
  }
}

function summaryOf({ id, name, owner, scopes, createdAt, expiresAt, lastUsedAt }: BearerToken): KeySummary {
  return {
    id,
    name,
    owner,
    scopes: scopes.filter(isKeyScope),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    ...(lastUsedAt === undefined ? {} : { lastUsedAt: lastUsedAt.toISOString() }),
  }
}

function isKeyScope(scope: string): scope is KeyScope {
  return scope === 'api' || scope === 'mcp'
}
