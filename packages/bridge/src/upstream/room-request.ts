import type { Connection } from './connection.ts'
import type { ConnectionPool } from './pool.ts'
import type { RoomRequest } from './room.ts'
import type { Seat } from './seat.ts'

/** What a seat of a pool asks of the room, and what it gives back when others need it. */
export function roomRequest(
  server: string,
  seat: Seat,
  pool: ConnectionPool<Connection>,
  signal: AbortSignal,
): RoomRequest {
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
      await pool.peek(seat)?.hearOut()
      return pool.evict(seat)
    },
  }
}
