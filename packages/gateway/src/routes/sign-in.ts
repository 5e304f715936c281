import { type SessionCodeResponse, type SessionResponse, sessionRequestSchema } from '@toolbridge/api'
import type { Handler } from 'hono'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { unauthenticated } from '../middleware/bearer.ts'
import { readBody } from '../http/read-body.ts'
import type { GatewayServices } from '../services.ts'

/** `POST /api/session`: a code for a bearer. Whatever is wrong, the answer is the same. */
export function openSession({ exchangeCode }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const request = await readBody(context, sessionRequestSchema).catch(() => undefined)
    const opened = request === undefined ? undefined : exchangeCode(request.code)
    if (opened === undefined) throw unauthenticated()
    const answer: SessionResponse = { token: opened.token, principal: opened.principal.id }
    return context.json(answer)
  }
}

/** `POST /api/session/code`: a fresh code for the caller. */
export function issueSessionCode({ issueCode }: GatewayServices): Handler<GatewayEnv> {
  return (context) => context.json({ code: issueCode(context.var.principal) } satisfies SessionCodeResponse)
}
