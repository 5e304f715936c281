import type { Context, MiddlewareHandler } from 'hono'
import { GatewayError } from '../errors/gateway-error.ts'
import { afterResponse } from '../http/after-response.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'
import type { SourceOf } from '../http/request-source.ts'
import type { FailedSignIns } from '../limits/failed-sign-ins.ts'
import type { LimitRate } from '../limits/gateway-limits.ts'
import type { Authenticate, TokenAudience } from '../sign-in/principal.ts'

/** What `bearer` uses. */
export interface BearerOptions {
  readonly authenticate: Authenticate
  readonly limitRate: LimitRate
  /** Called when a request of a principal begins. Returns a function that is called when its response is complete. */
  readonly beginUse: (principal: string) => () => void
  readonly failedSignIns: FailedSignIns
  readonly sourceOf: SourceOf
}

/**
 * Requires a bearer token for this audience. Every other request gets the same response. Register it before what reads the
 * body: a request that is refused here costs no memory.
 */
export function bearer(options: BearerOptions, audience: TokenAudience): MiddlewareHandler<GatewayEnv> {
  const { authenticate, limitRate, beginUse, failedSignIns, sourceOf } = options
  return async (context, next) => {
    const token = bearerTokenOf(context)
    const principal = token === undefined ? undefined : await authenticate(token, audience)
    if (principal === undefined) {
      if (token !== undefined) failedSignIns.countToken(sourceOf(context).address)
      throw unauthenticated()
    }
    limitRate(principal.id)
    context.set('principal', principal)
    await untilAnswered(context, beginUse(principal.id), next)
  }
}

async function untilAnswered(
  context: Context<GatewayEnv>,
  onEnd: () => void,
  next: () => Promise<void>,
): Promise<void> {
  try {
    await next()
  } catch (error) {
    onEnd()
    throw error
  }
  const response = afterResponse(context.res, onEnd)
  // Assigning would copy a response that is the same.
  if (response !== context.res) context.res = response
}

/** Returns the bearer token of a request. */
export function bearerTokenOf(context: Context): string | undefined {
  return /^Bearer +(\S+)$/i.exec(context.req.header('authorization') ?? '')?.[1]
}

/** Does not say whether the credential is missing, wrong, used or expired. */
export function unauthenticated(): GatewayError {
  return new GatewayError(
    'unauthenticated',
    'open the sign-in URL that the gateway printed, or get a new one with: toolbridge open',
  )
}
