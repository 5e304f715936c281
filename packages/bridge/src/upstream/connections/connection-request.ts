import type { ServerSpec } from '../../config/spec/server-spec.ts'
import type { ConnectionRequest } from '../limits/connection-limiter.ts'
import type { Connection } from './connection.ts'
import type { ConnectionPool } from './connection-pool.ts'
import type { ConnectionScope } from './connection-scope.ts'

interface ConnectionRequestOptions {
  readonly signal: AbortSignal
  readonly warn: (code: string, message: string) => void
}

/** Creates the request to the connection limits for the connection of a scope. */
export function connectionRequest(
  { name: server, transport }: ServerSpec,
  scope: ConnectionScope,
  pool: ConnectionPool<Connection>,
  { signal, warn }: ConnectionRequestOptions,
): ConnectionRequest {
  return {
    server,
    principal: scope.principal,
    isProcess: transport === 'stdio',
    signal,
    idleMs: () => {
      const idleMs = pool.idleMs(scope)
      // A server that cannot ask late need not be given time to.
      return idleMs !== undefined && pool.peek(scope)?.mayAskLate === false ? Infinity : idleMs
    },
    evict: async () => {
      // What the server sent may be a question: then the connection is in use and stays.
      const hasAnswered = (await pool.peek(scope)?.flush()) ?? true
      const isEvicted = pool.evict(scope)
      if (isEvicted && !hasAnswered)
        warn(
          'stopped_unheard',
          `server "${server}" was stopped to free its connection although it did not answer a ping`,
        )
      return isEvicted
    },
  }
}
