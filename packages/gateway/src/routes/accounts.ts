import {
  type FinishServerSignInResponse,
  finishServerSignInRequestSchema,
  type ServerSignInResponse,
  type ServerSignOutResponse,
} from '@toolbridge/api'
import type { Handler } from 'hono'
import { GatewayError } from '../errors/gateway-error.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { readBody } from '../http/read-body.ts'
import { isUnknownSignIn } from '../owners/owner-accounts.ts'
import type { GatewayServices } from '../services.ts'

/** `POST /api/servers/:name/sign-in`: begins a sign-in of the caller to a server. */
export function beginServerSignIn({ owners }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const owner = await owners.open(context.var.principal.id)
    const name = context.req.param('name') ?? ''
    const url = await owner.beginSignIn(name)
    if (url === undefined) throw noSignIn(name)
    return context.json({ url } satisfies ServerSignInResponse)
  }
}

/**
 * `POST /api/oauth/callback`: finishes a sign-in that the caller began. Someone else who is led to the page by a link cannot
 * finish it, so nobody connects their account for another person.
 */
export function finishServerSignIn({ owners }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const { url } = await readBody(context, finishServerSignInRequestSchema)
    const owner = await owners.open(context.var.principal.id)
    const server = await owner.finishSignIn(url, context.req.raw.signal).catch(explained)
    if (server === undefined) throw unknownSignIn()
    return context.json({ server } satisfies FinishServerSignInResponse)
  }
}

/** `DELETE /api/servers/:name/sign-in`: revokes the caller's tokens for a server and removes them. */
export function endServerSignIn({ owners }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const owner = await owners.open(context.var.principal.id)
    const name = context.req.param('name') ?? ''
    if (!(await owner.signOut(name, context.req.raw.signal))) throw noSignIn(name)
    return context.json({ success: true } satisfies ServerSignOutResponse)
  }
}

function noSignIn(name: string): GatewayError {
  return new GatewayError('no_sign_in', `the server "${name}" asks for no sign-in in the console`)
}

function unknownSignIn(): GatewayError {
  return new GatewayError('unknown_sign_in', 'you began no such sign-in, or it is over; begin it again')
}

function explained(error: unknown): never {
  throw isUnknownSignIn(error) ? unknownSignIn() : error
}
