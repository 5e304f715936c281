import { systemClock } from '../../async/clock.ts'
import {
  type ConnectionLimit,
  ConnectionLimiter,
  type ConnectionPermit,
  type ConnectionRequest,
} from './connection-limiter.ts'

/** Limits per principal. */
export interface QuotaLimits {
  /** Open connections of any kind. Default: no limit. */
  readonly maxConnections?: number
  /** Open connections that are processes on this machine. Default: no limit. */
  readonly maxProcesses?: number
  /** How long a request waits for a connection to be closed. Default: 10 s. */
  readonly maxWaitMs?: number
}

/** Bounds what each principal has open. One instance may serve any number of bridges. */
export interface ConnectionQuotas {
  /**
   * Resolves when the connection may be opened. Requests of a principal are granted in order; an unused connection of the
   * same principal is closed for a waiting request. Rejects with a `DeniedError` when none becomes free in time.
   */
  acquire(request: ConnectionRequest): Promise<ConnectionPermit>
}

/**
 * Applies the same limits to every principal.
 *
 * @example
 * ```ts
 * import { localAuthority, openBridge } from '@toolbridge/bridge'
 * import { createQuotas } from '@toolbridge/bridge/connections'
 *
 * const quotas = createQuotas({ maxConnections: 10, maxProcesses: 4 })
 * const bridge = await openBridge({ servers: [], authority: localAuthority(), quotas })
 * await bridge.close()
 * ```
 */
export function createQuotas(limits: QuotaLimits): ConnectionQuotas {
  const { maxConnections = Infinity, maxProcesses = Infinity, maxWaitMs = 10_000 } = limits
  return new ConnectionLimiter({
    limitsOf: ({ principal, isProcess }) => {
      const all: ConnectionLimit = {
        key: `connections ${principal}`,
        max: maxConnections,
        description: `${maxConnections} connections per user`,
      }
      const processes: ConnectionLimit = {
        key: `processes ${principal}`,
        max: maxProcesses,
        description: `${maxProcesses} processes per user`,
      }
      return isProcess ? [all, processes] : [all]
    },
    maxWaitMs,
    minIdleMs: 0,
    clock: systemClock,
    fix: 'close one or try again later',
  })
}
