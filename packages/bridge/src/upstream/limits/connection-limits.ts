import type { Clock } from '../../async/clock.ts'
import type { QuestionPolicy } from '../../elicitation/question-policy.ts'
import { ConnectionLimiter } from './connection-limiter.ts'

type Limits = Pick<QuestionPolicy, 'maxConnections' | 'maxConnectionsPerServer' | 'maxWaitMs' | 'minIdleMs'>

/** Bounds the connections that a bridge opens for single origins, so that servers can ask them. */
export function connectionLimits(limits: Limits, clock: Clock): ConnectionLimiter {
  const { maxConnections, maxConnectionsPerServer, maxWaitMs, minIdleMs } = limits
  return new ConnectionLimiter({
    limitsOf: ({ server }) => [
      { key: 'bridge', max: maxConnections, description: `${maxConnections} in all` },
      {
        key: `server ${server}`,
        max: maxConnectionsPerServer,
        description: `${maxConnectionsPerServer} per server`,
      },
    ],
    maxWaitMs,
    minIdleMs,
    clock,
    fix: 'try again later or increase the limit in the question policy',
  })
}
