import type { Issue } from '@toolbridge/bridge'
import { type ConnectionQuotas, createQuotas } from '@toolbridge/bridge/connections'
import { GatewayError } from '../errors/gateway-error.ts'
import { RateLimiter } from './rate-limiter.ts'

/** What one principal may use at most. A principal at a limit does not affect others. */
export interface GatewayLimits {
  /** Requests per second, on average. Default: 50 if others than the local owner can reach the gateway, else no limit. */
  readonly requestsPerSecond?: number
  /** Requests at once, after a pause. Default: four times `requestsPerSecond`. */
  readonly burst?: number
  /** Calls and workflow runs at the same time. Default: 128. */
  readonly calls?: number
  /** MCP sessions. Opening another ends the least recently used one that has no running call. Default: 64. */
  readonly sessions?: number
  /** Open connections to servers, also those of workflow runs. Default: 256. */
  readonly connections?: number
  /** Those of them that are processes. Default: 128. */
  readonly processes?: number
}

/** Bounds the connections of each principal to servers, in all bridges together. */
export function connectionQuotas({ connections = 256, processes = 128 }: GatewayLimits): ConnectionQuotas {
  return createQuotas({ maxConnections: connections, maxProcesses: processes })
}

/** `requestsPerSecond` of a gateway that others can reach. */
export const sharedRequestsPerSecond = 50

/** Throws a `GatewayError` for a request of a principal who sends too many. */
export type LimitRate = (principal: string) => void

/** Limits the rate of requests, if the limits have one. */
export function limitRate({ requestsPerSecond, burst }: GatewayLimits): LimitRate {
  if (requestsPerSecond === undefined) return () => undefined
  const limiter = new RateLimiter({
    perSecond: requestsPerSecond,
    burst: burst ?? Math.ceil(requestsPerSecond * 4),
  })
  return (principal) => {
    const waitMs = limiter.take(principal)
    if (waitMs > 0) throw rateLimited(requestsPerSecond, waitMs)
  }
}

function rateLimited(perSecond: number, waitMs: number): GatewayError {
  const message = `the limit is ${perSecond} requests per second; send fewer`
  return new GatewayError('rate_limited', message, [], { retryAfterSeconds: Math.ceil(waitMs / 1_000) })
}

/** Returns what is wrong with the limits. */
export function limitIssues(limits: GatewayLimits): readonly Issue[] {
  const { requestsPerSecond = 1, ...counts } = limits
  const isRate = Number.isFinite(requestsPerSecond) && requestsPerSecond > 0
  const wrong = Object.entries(counts).filter(([, count]) => !Number.isSafeInteger(count) || count < 1)
  return [
    ...(isRate ? [] : [issueAt('requestsPerSecond', 'a number above 0')]),
    ...wrong.map(([name]) => issueAt(name, 'a whole number above 0')),
  ]
}

function issueAt(name: string, expected: string): Issue {
  return {
    code: 'limits_invalid',
    severity: 'error',
    file: 'gateway options',
    path: `/limits/${name}`,
    message: `the limit "${name}" is not ${expected}`,
    fix: `write ${expected}, or remove it for the default`,
  }
}
