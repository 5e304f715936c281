import { assertStorable } from './storable.ts'
import type { Database } from './database/database.ts'
import type { OwnerKeys } from './sealing/owner-keys.ts'
import { pack, unpack } from './sealing/seal.ts'
import { openValue, sealValue } from './sealing/seal-value.ts'
import type { SealedColumn } from './sealing/sealed-column.ts'

/** An open question. */
export type InboxItem = {
  /** Unique per owner. */
  readonly id: string
  /** Time of the first `ask` with this id. */
  readonly askedAt: Date
  /** The value that was passed to `ask`. */
  readonly payload: unknown
}

/** Encrypted questions to people. An item is open until it is answered or withdrawn. */
export interface Inbox {
  /** Adds an open item. Has no effect if the owner already has an item with this id. */
  ask(owner: string, item: { readonly id: string; readonly payload: unknown }): Promise<void>
  /** Returns the owner's open items, oldest first. */
  open(owner: string): Promise<readonly InboxItem[]>
  /** Returns an open item of the owner, or undefined if there is none with this id. */
  get(owner: string, id: string): Promise<InboxItem | undefined>
  /** Closes the item with this answer. Returns false if the owner has no open item with this id. */
  answer(owner: string, id: string, answer: unknown): Promise<boolean>
  /** Closes the item without an answer. Returns false if the owner has no open item with this id. */
  withdraw(owner: string, id: string): Promise<boolean>
  /** Withdraws every open item of every owner and returns their number. For the start of the only process on the store. */
  withdrawAll(): Promise<number>
}

type InboxRow = {
  readonly id: string
  readonly asked_at: Date
  readonly key_id: string
  readonly payload: Uint8Array
}

const sealedPayloads: SealedColumn = {
  kind: 'question',
  table: 'inbox',
  keyColumn: 'key_id',
  identity: { id: 'text' },
  read: 't.payload',
  write: 'payload = resealed.value',
  location: (owner, identity) => ['inbox', owner, ...identity, 'payload'],
}

const sealedAnswers: SealedColumn = {
  kind: 'answer',
  table: 'inbox',
  keyColumn: 'answer_key_id',
  identity: { id: 'text' },
  read: 't.answer',
  write: 'answer = resealed.value',
  location: (owner, identity) => ['inbox', owner, ...identity, 'answer'],
}

/** The questions and the answers. */
export const sealedInbox: readonly SealedColumn[] = [sealedPayloads, sealedAnswers]

/** Creates an inbox on `database`, encrypted with `keys`. */
export function createInbox(database: Database, keys: OwnerKeys, now: () => Date): Inbox {
  const openItem = async (owner: string, row: InboxRow): Promise<InboxItem> => {
    const key = await keys.byId(owner, row.key_id)
    const payload = openValue(key, sealedPayloads.location(owner, [row.id]), unpack(row.payload))
    return { id: row.id, askedAt: row.asked_at, payload }
  }
  return {
    async ask(owner, item) {
      assertStorable({ owner, id: item.id })
      await keys.use(owner, async () => {
        const key = await keys.current(owner)
        const payload = pack(sealValue(key, sealedPayloads.location(owner, [item.id]), item.payload))
        const parameters = [owner, item.id, now(), key.id, payload]
        await database.transaction(owner, (query) => query(insertOpen, parameters))
      })
    },
    async open(owner) {
      assertStorable({ owner })
      return keys.use(owner, async () => {
        const rows = await database.transaction(owner, (query) => query<InboxRow>(selectOpen, [owner]))
        return Promise.all(rows.map((row) => openItem(owner, row)))
      })
    },
    async get(owner, id) {
      assertStorable({ owner, id })
      return keys.use(owner, async () => {
        const [row] = await database.transaction(owner, (query) => query<InboxRow>(selectOne, [owner, id]))
        return row && openItem(owner, row)
      })
    },
    async answer(owner, id, answer) {
      assertStorable({ owner, id })
      return keys.use(owner, async () => {
        const key = await keys.current(owner)
        const sealed = pack(sealValue(key, sealedAnswers.location(owner, [id]), answer))
        const parameters = [owner, id, 'answered', now(), key.id, sealed]
        const rows = await database.transaction(owner, (query) => query(close, parameters))
        return rows.length > 0
      })
    },
    async withdraw(owner, id) {
      assertStorable({ owner, id })
      const rows = await database.transaction(owner, (query) =>
        query(close, [owner, id, 'withdrawn', now(), null, null]),
      )
      return rows.length > 0
    },
    async withdrawAll() {
      const [row] = await database.maintain((query) => query<{ count: number }>(closeAll, [now()]))
      return row?.count ?? 0
    },
  }
}

const insertOpen = `
insert into lockbox.inbox (owner, id, state, asked_at, key_id, payload)
values ($1, $2, 'open', $3, $4, $5) on conflict (owner, id) do nothing`

const selectOpen = `
select id, asked_at, key_id, payload from lockbox.inbox
where owner = $1 and state = 'open' order by asked_at, id`

const selectOne = `
select id, asked_at, key_id, payload from lockbox.inbox
where owner = $1 and id = $2 and state = 'open'`

const close = `
update lockbox.inbox set state = $3, closed_at = $4, answer_key_id = $5, answer = $6
where owner = $1 and id = $2 and state = 'open' returning id`

const closeAll = `
with withdrawn as (
  update lockbox.inbox set state = 'withdrawn', closed_at = $1 where state = 'open' returning id
) select count(*)::integer as count from withdrawn`
