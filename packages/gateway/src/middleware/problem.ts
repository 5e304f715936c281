import { type Problem, paths } from '@toolbridge/api'
import type { Context, ErrorHandler, NotFoundHandler } from 'hono'
import { GatewayError } from '../errors/gateway-error.ts'
import { loggedBug, problemOf } from '../errors/problems.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'
import type { ProtectedResource } from '../sign-in/protected-resource.ts'

/** nginx's status for a client that disconnected. Nobody receives it; it appears only in logs. */
const clientClosedRequest = 499

/** Options of `answerWithProblem`. */
export interface ProblemOptions {
  readonly log: (line: string) => void
  /** The MCP endpoint, if hosts can get tokens for it. */
  readonly protectedResource: ProtectedResource | undefined
}

/** Answers every error with a problem document. An unknown error is logged, and the document contains only its id. */
export function answerWithProblem({ log, protectedResource }: ProblemOptions): ErrorHandler<GatewayEnv> {
  const metadata = protectedResource && new URL(paths.protectedResource, protectedResource.resource).href
  return (error, context) => {
    const { signal } = context.req.raw
    if (signal.aborted) return new Response(null, { status: clientClosedRequest })
    const isForHosts = metadata !== undefined && context.req.path === paths.mcp
    const challenge = isForHosts ? `Bearer resource_metadata="${metadata}"` : 'Bearer'
    return problemResponse(problemOf(error) ?? loggedBug(error, log), challenge)
  }
}

/** Answers requests that no route handles. */
export const answerNotFound: NotFoundHandler<GatewayEnv> = (context: Context<GatewayEnv>) => {
  throw notFound(context)
}

/** The error of a request for a route that does not exist, or that does not exist for its caller. */
export function notFound({ req: { method, path } }: Context<GatewayEnv>): GatewayError {
  return new GatewayError('not_found', `${method} ${path} is not a route of the gateway`)
}

function problemResponse(problem: Problem, challenge: string): Response {
  const headers: Record<string, string> = { 'content-type': 'application/problem+json' }
  if (problem.status === 401) headers['www-authenticate'] = challenge
  const retryAfter = problem.retryAfterSeconds ?? (problem.status === 429 ? 1 : undefined)
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter)
  return new Response(JSON.stringify(problem), { status: problem.status, headers })
}
