import type { Connection } from '../connections/connection.ts'
import type { ConnectionPool } from '../connections/connection-pool.ts'
import type { RoomRequest } from './room.ts'
import type { ConnectionScope } from '../connections/connection-scope.ts'

/** What a scope of a pool asks of the room, and what it gives back when others need it. */
export function roomRequest(
  server: string,
  scope: ConnectionScope,
  pool: ConnectionPool<Connection>,
  options: { readonly signal: AbortSignal; readonly tell: (code: string, message: string) => void },
): RoomRequest {
  const { signal, tell } = options
  return {
    server,
    principal: scope.principal,
    signal,
    idleMs: () => {
      const idleMs = pool.idleMs(scope)
      // Where nothing can come late, nobody has to wait for it.
      return idleMs !== undefined && pool.peek(scope)?.mayAskLate === false ? Infinity : idleMs
    },
    evict: async () => {
      // A question may be on its way, and then the connection is in use.
      const isHeard = (await pool.peek(scope)?.flush()) ?? true
      const isEvicted = pool.evict(scope)
      if (isEvicted && !isHeard)
        tell('stopped_unheard', `server "${server}" was stopped to make room without having answered a ping`)
      return isEvicted
    },
  }
}
