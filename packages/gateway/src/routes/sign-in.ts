import {
  type SignInCodeResponse,
  type SignInOptionsResponse,
  type SignInRequest,
  type SignInResponse,
  type SignOutResponse,
  signInRequestSchema,
} from '@toolbridge/api'
import type { Handler } from 'hono'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { readBody } from '../http/read-body.ts'
import { bearerTokenOf, unauthenticated } from '../middleware/bearer.ts'
import type { GatewayServices } from '../services.ts'
import type { CreatedToken } from '../sign-in/issued-tokens.ts'

/** `GET /api/session`: describes how to sign in. */
export function showSignIn({ issuerSignIn }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const issuer = (await issuerSignIn?.settings()) ?? null
    return context.json({ issuer } satisfies SignInOptionsResponse)
  }
}

/** `POST /api/session`: exchanges a sign-in code for a bearer token. Every refusal is the same response, until too many fail. */
export function signIn(services: GatewayServices): Handler<GatewayEnv> {
  const { failedSignIns, sourceOf } = services
  return async (context) => {
    const { address } = sourceOf(context)
    const request = await readBody(context, signInRequestSchema).catch(() => undefined)
    // A code of our own costs nothing to check, and a valid one works whatever others at the address do.
    if (request !== undefined && !('code' in request)) failedSignIns.check(address)
    const created = request === undefined ? undefined : await exchange(services, request)
    if (created === undefined) {
      failedSignIns.countSignIn(address)
      throw unauthenticated()
    }
    const { token, stored } = created
    return context.json({ token, principal: stored.owner } satisfies SignInResponse)
  }
}

async function exchange(
  { redeemCode, issuerSignIn, tokens }: GatewayServices,
  request: SignInRequest,
): Promise<CreatedToken | undefined> {
  if ('code' in request) {
    const local = redeemCode(request.code)
    return local && tokens.signIn(local)
  }
  const person = await issuerSignIn?.redeem(request)
  return person && tokens.signIn(person, { isAtIssuer: true })
}

/**
 * `DELETE /api/session`: revokes the token of the request, which ends its streams; with `?everywhere=1`, all sign-ins of the
 * caller and tokens of the issuer.
 */
export function signOut({ revokeToken, revokeTokensOf, tokens }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const { id } = context.var.principal
    await revokeToken(bearerTokenOf(context) ?? '')
    if (context.req.query('everywhere') === '1') {
      await revokeTokensOf(id)
      await tokens.revokeAll(id, 'sign-in')
    }
    return context.json({ success: true } satisfies SignOutResponse)
  }
}

/** `POST /api/session/code`: creates a sign-in code for the caller. */
export function issueSignInCode({ issueCode }: GatewayServices): Handler<GatewayEnv> {
  return (context) => context.json({ code: issueCode(context.var.principal) } satisfies SignInCodeResponse)
}
