import {
  type SignInCodeResponse,
  type SignInResponse,
  type SignOutResponse,
  signInRequestSchema,
} from '@toolbridge/api'
import type { Handler } from 'hono'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { readBody } from '../http/read-body.ts'
import { bearerTokenOf, unauthenticated } from '../middleware/bearer.ts'
import type { GatewayServices } from '../services.ts'

/** `POST /api/session`: exchanges a sign-in code for a bearer token. Every error gets the same response. */
export function signIn({ redeemCode, tokens }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const request = await readBody(context, signInRequestSchema).catch(() => undefined)
    const principal = request === undefined ? undefined : redeemCode(request.code)
    if (principal === undefined) throw unauthenticated()
    const { token } = await tokens.signIn(principal)
    return context.json({ token, principal: principal.id } satisfies SignInResponse)
  }
}

/** `DELETE /api/session`: revokes the token of the request, which ends its streams. */
export function signOut({ tokens }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    await tokens.signOut(bearerTokenOf(context) ?? '')
    return context.json({ success: true } satisfies SignOutResponse)
  }
}

/** `POST /api/session/code`: creates a sign-in code for the caller. */
export function issueSignInCode({ issueCode }: GatewayServices): Handler<GatewayEnv> {
  return (context) => context.json({ code: issueCode(context.var.principal) } satisfies SignInCodeResponse)
}
