import { delay } from '@toolbridge/client/internal'
import type { Database } from '../database/database.ts'
import type { Query } from '../database/engine.ts'

/** Identifies a lease. */
export type LeaseKey = { readonly owner: string; readonly id: string }

/** How to take a lease. */
export type LeaseTerms = {
  /** Others can take a lease that was not extended for this time, in milliseconds. */
  readonly durationMs: number
  /** How long to wait for another holder, in milliseconds. */
  readonly timeoutMs: number
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined
}

/** A lease that this process took. */
export interface Lease {
  /**
   * Extends the lease in a running transaction, and resolves with false if another process has taken it meanwhile. No other
   * process can take it before the transaction ends, so a write in the same transaction is that of the only holder.
   */
  extend(query: Query): Promise<boolean>
  /** Ends the lease. */
  release(): Promise<void>
}

const FIRST_PAUSE_MS = 5
const LONGEST_PAUSE_MS = 100

/**
 * Waits until this process has the lease and extends it until it is released. Undefined on timeout; rejects with the reason
 * of the signal. A process that is gone, or that cannot reach the database, loses its lease when the duration is over, by
 * the clock of the database.
 */
export async function takeLease(
  database: Database,
  key: LeaseKey,
  terms: LeaseTerms,
): Promise<Lease | undefined> {
  const deadline = performance.now() + terms.timeoutMs
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    terms.signal?.throwIfAborted()
    const fence = await tryTake(database, key, terms.durationMs)
    if (fence !== undefined) return holdLease(database, key, fence, terms.durationMs)
    if (performance.now() > deadline) return undefined
    await delay(pauseMs * (0.5 + Math.random()), terms.signal)
  }
}

async function tryTake(
  database: Database,
  { owner, id }: LeaseKey,
  durationMs: number,
): Promise<number | undefined> {
  const rows = await database.transaction(owner, (query) =>
    query<{ fence: number }>(take, [owner, id, durationMs]),
  )
  return rows[0]?.fence
}

function holdLease(database: Database, { owner, id }: LeaseKey, fence: number, durationMs: number): Lease {
  const extend = async (query: Query): Promise<boolean> =>
    (await query(prolong, [owner, id, fence, durationMs])).length > 0
  const timer = setInterval(() => {
    // A failed extension is repeated by the next one, or the lease expires.
    database.transaction(owner, extend).catch(() => {})
  }, durationMs / 3)
  timer.unref()
  return {
    extend,
    async release() {
      clearInterval(timer)
      await database.transaction(owner, (query) => query(end, [owner, id, fence]))
    },
  }
}

// The clock of the database is one for all processes.
const untilExpiry = (parameter: string): string =>
  `clock_timestamp() + ${parameter}::double precision * interval '1 millisecond'`

const take = `
insert into lockbox.leases (owner, id, fence, expires_at) values ($1, $2, 1, ${untilExpiry('$3')})
on conflict (owner, id) do update set fence = leases.fence + 1, expires_at = ${untilExpiry('$3')}
where leases.expires_at <= clock_timestamp() returning fence`

const prolong = `
update lockbox.leases set expires_at = ${untilExpiry('$4')}
where owner = $1 and id = $2 and fence = $3 returning fence`

// Counts up the fence: an extension that arrives late has no effect.
const end = `
update lockbox.leases set fence = fence + 1, expires_at = '-infinity'
where owner = $1 and id = $2 and fence = $3`
