import { callToolRequestSchema, type StartCallResponse, type StartedCallsResponse } from '@toolbridge/api'
import type { Handler } from 'hono'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { readBody } from '../http/read-body.ts'
import type { GatewayServices } from '../services.ts'

/** `POST /api/tools/calls`: starts a call for the caller, which continues after the request. */
export function startCall({ startedCalls }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const request = await readBody(context, callToolRequestSchema)
    const call = await startedCalls.start(context.var.principal, request)
    return context.json({ call } satisfies StartCallResponse)
  }
}

/** `GET /api/tools/calls`: lists the caller's started calls that are running or ended recently, oldest first. */
export function listStartedCalls({ startedCalls }: GatewayServices): Handler<GatewayEnv> {
  return (context) =>
    context.json({ calls: startedCalls.list(context.var.principal.id) } satisfies StartedCallsResponse)
}

/** `GET /api/tools/calls/:id`: returns a started call of the caller, with its result if it has ended. */
export function showStartedCall({ startedCalls }: GatewayServices): Handler<GatewayEnv> {
  return (context) => context.json(startedCalls.show(context.var.principal.id, context.req.param('id') ?? ''))
}

/** `POST /api/tools/calls/:id/cancel`: cancels a started call of the caller. */
export function cancelCall({ startedCalls }: GatewayServices): Handler<GatewayEnv> {
  return (context) => {
    startedCalls.cancel(context.var.principal.id, context.req.param('id') ?? '')
    return context.json({ success: true })
  }
}
