import { type AnswerResponse, answerRequestSchema, type InboxResponse } from '@toolbridge/api'
import type { Handler } from 'hono'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { readBody } from '../http/read-body.ts'
import type { GatewayServices } from '../services.ts'

/** `GET /api/inbox`: lists the caller's open questions, oldest first. */
export function listQuestions({ inbox }: GatewayServices): Handler<GatewayEnv> {
  return async (context) =>
    context.json({ items: await inbox.open(context.var.principal.id) } satisfies InboxResponse)
}

/** `POST /api/inbox/:id/answer`: answers a question of the caller. It stays open if the answer is invalid. */
export function answerQuestion({ inbox }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const answer = await readBody(context, answerRequestSchema)
    await inbox.answer(context.var.principal.id, context.req.param('id') ?? '', answer)
    return context.json({ success: true } satisfies AnswerResponse)
  }
}
