import type { Problem } from '@toolbridge/api'
import type { Context, ErrorHandler, NotFoundHandler } from 'hono'
import { GatewayError } from '../errors/gateway-error.ts'
import { loggedBug, problemOf } from '../errors/problems.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'

/** nginx's status for a client that disconnected. Nobody receives it; it appears only in logs. */
const clientClosedRequest = 499

/** Answers every error with a problem document. An unknown error is logged, and the document contains only its id. */
export function answerWithProblem(log: (line: string) => void): ErrorHandler<GatewayEnv> {
  return (error, context) => {
    const { signal } = context.req.raw
    if (signal.aborted) return new Response(null, { status: clientClosedRequest })
    return problemResponse(problemOf(error) ?? loggedBug(error, log))
  }
}

/** Answers requests that no route handles. */
export const answerNotFound: NotFoundHandler<GatewayEnv> = (context: Context<GatewayEnv>) => {
  throw new GatewayError(
    'not_found',
    `${context.req.method} ${context.req.path} is not a route of the gateway`,
  )
}

function problemResponse(problem: Problem): Response {
  const headers: Record<string, string> = { 'content-type': 'application/problem+json' }
  if (problem.status === 401) headers['www-authenticate'] = 'Bearer'
  return new Response(JSON.stringify(problem), { status: problem.status, headers })
}
