import { type SignInCodeResponse, type SignInResponse, signInRequestSchema } from '@toolbridge/api'
import type { Handler } from 'hono'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { readBody } from '../http/read-body.ts'
import { unauthenticated } from '../middleware/bearer.ts'
import type { GatewayServices } from '../services.ts'

/** `POST /api/session`: exchanges a sign-in code for a bearer token. Every error gets the same response. */
export function exchangeSignInCode({ exchangeCode }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const request = await readBody(context, signInRequestSchema).catch(() => undefined)
    const opened = request === undefined ? undefined : exchangeCode(request.code)
    if (opened === undefined) throw unauthenticated()
    const answer: SignInResponse = { token: opened.token, principal: opened.principal.id }
    return context.json(answer)
  }
}

/** `POST /api/session/code`: creates a sign-in code for the caller. */
export function issueSignInCode({ issueCode }: GatewayServices): Handler<GatewayEnv> {
  return (context) => context.json({ code: issueCode(context.var.principal) } satisfies SignInCodeResponse)
}
