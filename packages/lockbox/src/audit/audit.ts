import { randomUUID } from 'node:crypto'
import { assertStorable } from '../storable.ts'
import type { Database } from '../database/database.ts'
import type { Query } from '../database/engine.ts'
import type { DataKey, OwnerKeys } from '../sealing/owner-keys.ts'
import { pack, unpack } from '../sealing/seal.ts'
import { openValue, sealValue, type ValueLocation } from '../sealing/seal-value.ts'
import { type ChainCodes, chainCodes } from './audit-chain.ts'
import type { AuditCheckpoint } from './checkpoint.ts'
import { type AuditVerification, verifyChains } from './verify-chains.ts'

/** What was done with a stored value. */
export type AuditEvent = {
  /** `read`: a secret was decrypted and handed out. `refuse`: it was not, because it was asked for another destination. */
  readonly action: 'read' | 'save' | 'remove' | 'refuse'
  /** Kind of the value, such as `setting` or `input`. */
  readonly kind: string
  /** Name of the value within its kind; never the value. */
  readonly name: readonly string[]
}

/** An entry of the audit. */
export type AuditEntry = AuditEvent & {
  /** Id of the process that wrote the entry; another one for every opening of the lockbox. */
  readonly writer: string
  /** Number of the entry in the chain of its writer. */
  readonly number: number
  /** Time of the entry. */
  readonly at: Date
}

/**
 * Append-only, encrypted record of who used which stored value. Each writer chains its entries with a keyed code, so that
 * entries that were changed, removed or moved in the database are found.
 */
export interface Audit {
  /** Returns at most `limit` entries of the owner, newest first. */
  recent(owner: string, limit: number): Promise<readonly AuditEntry[]>
  /**
   * Returns the ends of this process's chains that have entries, oldest first. A process starts another chain after entries that it
   * could not write.
   */
  checkpoints(): readonly AuditCheckpoint[]
  /** Checks every chain. Entries that were removed from the end of a chain are found only with a checkpoint. */
  verify(checkpoints?: readonly AuditCheckpoint[]): Promise<AuditVerification>
}

/** Runs the transactions whose events are recorded. */
export interface AuditLog extends Audit {
  /**
   * Like `Database.transaction`. The events passed to `record` are committed with the changes of `work`: neither is stored
   * without the other.
   */
  transaction<T>(
    owner: string,
    work: (query: Query, record: (event: AuditEvent) => void) => Promise<T>,
  ): Promise<T>
}

/** Owner of the key of the audit. No principal can have this name. */
export const AUDIT_OWNER = 'lockbox:audit'

type Chain = {
  readonly writer: string
  readonly key: DataKey
  readonly codes: ChainCodes
  readonly count: number
  readonly head: Buffer
}

type AuditRow = {
  readonly writer: string
  readonly number: number
  readonly at: Date
  readonly key_id: string
  readonly payload: Uint8Array
}

/** Creates the audit on `database`. */
export function createAudit(database: Database, keys: OwnerKeys, now: () => Date): AuditLog {
  return new ChainedAudit(database, keys, now)
}

class ChainedAudit implements AuditLog {
  readonly #database: Database
  readonly #keys: OwnerKeys
  readonly #now: () => Date
  #chain: Chain | undefined
  readonly #abandoned: Chain[] = []
  #appending: Promise<void> = Promise.resolve()

  constructor(database: Database, keys: OwnerKeys, now: () => Date) {
    this.#database = database
    this.#keys = keys
    this.#now = now
  }

  async recent(owner: string, limit: number): Promise<readonly AuditEntry[]> {
    assertStorable({ owner })
    if (!Number.isSafeInteger(limit) || limit < 0)
      throw new RangeError('limit must be a non-negative integer')
    const rows = await this.#database.transaction(owner, (query) => query<AuditRow>(newest, [owner, limit]))
    return Promise.all(rows.map((row) => this.#open(owner, row)))
  }

  checkpoints(): readonly AuditCheckpoint[] {
    const chains = this.#chain === undefined ? this.#abandoned : [...this.#abandoned, this.#chain]
    return chains.map(({ writer, count, head }) => ({ writer, count, head: head.toString('hex') }))
  }

  verify(checkpoints: readonly AuditCheckpoint[] = []): Promise<AuditVerification> {
    return verifyChains(this.#database, this.#keys, checkpoints)
  }

  async transaction<T>(
    owner: string,
    work: (query: Query, record: (event: AuditEvent) => void) => Promise<T>,
  ): Promise<T> {
    const key = await this.#keys.current(AUDIT_OWNER)
    const appending: { end?: (chain: Chain | undefined) => void; chain?: Chain } = {}
    try {
      const result = await this.#database.transaction(owner, async (query) => {
        const events: AuditEvent[] = []
        const worked = await work(query, (event) => void events.push(event))
        if (events.length === 0) return worked
        appending.end = await this.#beginAppending()
        appending.chain = await this.#append(query, this.#chain ?? startChain(key), owner, events)
        return worked
      })
      appending.end?.(appending.chain)
      return result
    } catch (error) {
      // It may be unknown whether the entries were committed, so this chain is not continued.
      appending.end?.(undefined)
      throw error
    }
  }

  /** Resolves when the entries before are committed. A chain has one end, so appending is exclusive. */
  async #beginAppending(): Promise<(chain: Chain | undefined) => void> {
    const before = this.#appending
    let release = (): void => {}
    this.#appending = new Promise((resolve) => {
      release = resolve
    })
    await before
    return (chain) => {
      if (chain === undefined && this.#chain !== undefined) this.#abandoned.push(this.#chain)
      this.#chain = chain
      release()
    }
  }

  async #append(query: Query, chain: Chain, owner: string, events: readonly AuditEvent[]): Promise<Chain> {
    let { count, head } = chain
    const { writer, key, codes } = chain
    for (const event of events) {
      count += 1
      const payload = pack(sealValue(key, locationOf(owner, writer, count), event))
      const row = { writer, number: count, owner, at: this.#now(), key_id: key.id, payload }
      head = codes.next(head, row)
      await query(insert, [writer, count, owner, row.at, key.id, payload, head])
    }
    return { ...chain, count, head }
  }

  async #open(owner: string, row: AuditRow): Promise<AuditEntry> {
    const { writer, number, at, key_id, payload } = row
    const key = await this.#keys.byId(AUDIT_OWNER, key_id)
    // Only `#append` encrypts values for this location.
    const event = openValue(key, locationOf(owner, writer, number), unpack(payload)) as AuditEvent
    return { writer, number, at, ...event }
  }
}

function startChain(key: DataKey): Chain {
  const writer = randomUUID()
  const codes = chainCodes(key)
  return { writer, key, codes, count: 0, head: codes.start(writer) }
}

function locationOf(owner: string, writer: string, number: number): ValueLocation {
  return ['audit', owner, writer, String(number)]
}

const insert = `
insert into lockbox.audit (writer, number, owner, at, key_id, payload, mac)
values ($1, $2, $3, $4, $5, $6, $7)`

const newest = `
select writer, number, at, key_id, payload from lockbox.audit
where owner = $1 order by at desc, number desc limit $2`
