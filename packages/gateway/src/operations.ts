import type { Issue } from '@toolbridge/bridge'
import type { ConnectionQuotas } from '@toolbridge/bridge/connections'
import type { Lockbox } from '@toolbridge/lockbox'
import { type SourceOf, sourceReader } from './http/request-source.ts'
import { CallAdmission } from './lifecycle/call-admission.ts'
import { Readiness } from './lifecycle/readiness.ts'
import { FailedSignIns } from './limits/failed-sign-ins.ts'
import { OpenStreams } from './limits/open-streams.ts'
import {
  connectionQuotas,
  type GatewayLimits,
  limitIssues,
  type LimitRate,
  limitRate,
} from './limits/gateway-limits.ts'
import { GatewayMetrics } from './metrics/gateway-metrics.ts'
import { networkIssues } from './network-options.ts'

/** Options of a gateway that many use. */
export interface OperationOptions {
  /** Origins of pages that others serve and that may use the API and `/mcp`: `https://app.example`. Default: none. */
  readonly allowedOrigins?: readonly string[]
  /** Addresses, or ranges such as `10.0.0.0/8`, of proxies whose `X-Forwarded-*` headers are read. Default: none. */
  readonly trustedProxies?: readonly string[]
  /** What one principal may use at most. Default: see `GatewayLimits`. */
  readonly limits?: GatewayLimits
  /** Stops the servers of a person who did not use the gateway for this time. Default: 30 minutes. */
  readonly ownerIdleMs?: number
}

/** What requests pass, and what monitors and drains a gateway. */
export interface Operations {
  /** Admits calls and workflow runs, and drains them. */
  readonly calls: CallAdmission
  readonly readiness: Readiness
  readonly metrics: GatewayMetrics
  readonly limitRate: LimitRate
  /** Bounds the connections of each principal to servers. */
  readonly quotas: ConnectionQuotas
  /** Bounds the event streams of each principal. */
  readonly streams: OpenStreams
  readonly failedSignIns: FailedSignIns
  readonly sourceOf: SourceOf
  readonly allowedOrigins: ReadonlySet<string>
}

/** An id that no token has, to read from the store. */
const noTokenId = '0'.repeat(32)

/** Creates what the services and the middleware share. There is nothing to close. */
export function createOperations(
  { allowedOrigins, trustedProxies = [], limits = {} }: OperationOptions,
  { bearerTokens }: Pick<Lockbox, 'bearerTokens'>,
  log: (line: string) => void,
): Operations {
  const calls = new CallAdmission(limits.calls)
  return {
    calls,
    readiness: new Readiness({ calls, readStore: () => bearerTokens.find(noTokenId) }),
    metrics: new GatewayMetrics(),
    limitRate: limitRate(limits),
    quotas: connectionQuotas(limits),
    streams: new OpenStreams(),
    failedSignIns: new FailedSignIns({ log }),
    sourceOf: sourceReader(trustedProxies),
    allowedOrigins: new Set(allowedOrigins),
  }
}

/** Returns what is wrong with the options. */
export function operationIssues(options: OperationOptions): readonly Issue[] {
  return [...networkIssues(options), ...limitIssues(options.limits ?? {})]
}
