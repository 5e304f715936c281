import type { Connection } from './connection.ts'
import type { ConnectionPool } from './pool.ts'
import type { RoomRequest } from './room.ts'
import type { Seat } from './seat.ts'

/** What a seat of a pool asks of the room, and what it gives back when others need it. */
export function roomRequest(
  server: string,
  seat: Seat,
  pool: ConnectionPool<Connection>,
  options: { readonly signal: AbortSignal; readonly tell: (code: string, message: string) => void },
): RoomRequest {
  const { signal, tell } = options
  return {
    server,
    principal: seat.principal,
    signal,
    idleMs: () => {
      const idleMs = pool.idleMs(seat)
      // Where nothing can come late, nobody has to wait for it.
      return idleMs !== undefined && pool.peek(seat)?.mayAskLate === false ? Infinity : idleMs
    },
    evict: async () => {
      // A question may be on its way, and then the connection is in use.
      const isHeard = (await pool.peek(seat)?.hearOut()) ?? true
      const isEvicted = pool.evict(seat)
      if (isEvicted && !isHeard)
        tell('stopped_unheard', `server "${server}" was stopped to make room without having answered a ping`)
      return isEvicted
    },
  }
}
