import type { BridgeOptions } from './bridge-options.ts'
import { defaultTimeouts } from './config/spec/default-timeouts.ts'
import { memoryTrustStore } from './config/trust/trust-store.ts'
import { systemClock } from './async/clock.ts'
import { defaultRestarts } from './upstream/restarts.ts'
import { connectionLimits } from './upstream/limits/connection-limits.ts'
import type { UpstreamOptions } from './upstream/upstream-options.ts'

type Parts = Pick<
  UpstreamOptions,
  'authorityOf' | 'features' | 'processes' | 'observed' | 'origin' | 'emit' | 'questions' | 'onList'
>

/** Completes the options of upstreams with their defaults. */
export function upstreamOptions(options: BridgeOptions, parts: Parts): UpstreamOptions {
  const { answerer, inputs, quotas, credentials, webSocket, transportOf, onMessage, clientInfo } = options
  const { clock = systemClock, trust = memoryTrustStore(), guard = {}, random = Math.random } = options
  const {
    policy = {},
    startTimeoutMs = defaultTimeouts.startMs,
    maxConcurrency = Number.POSITIVE_INFINITY,
    keepAliveMs = 30_000,
    idleMs = 300_000,
    restarts,
  } = options
  if (!(maxConcurrency >= 1)) throw new RangeError('maxConcurrency must be at least 1')
  return {
    ...parts,
    policy,
    answerer,
    trust,
    inputs,
    quotas,
    credentialsOf: credentials,
    guard,
    webSocket,
    transportOf,
    onMessage,
    clientInfo,
    clock,
    random,
    startTimeoutMs,
    maxConcurrency,
    keepAliveMs,
    idleMs,
    restarts: { ...defaultRestarts, ...restarts },
    limits: connectionLimits(parts.questions, clock),
  }
}
