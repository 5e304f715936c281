import { assertStorable } from './assert-storable.ts'
import { type Database, NO_OWNER } from './database/database.ts'
import type { OwnerKeys } from './sealing/owner-keys.ts'
import { pack, unpack } from './sealing/seal.ts'
import { openValue, sealValue, type ValueLocation } from './sealing/seal-value.ts'

/** A question that waits for its owner. */
export type InboxItem = { readonly id: string; readonly askedAt: Date; readonly payload: unknown }

/** Questions that wait for a person, sealed. An item is open until it is answered or withdrawn, whichever is first. */
export interface Inbox {
  /** Adds an open item; asking the same id again changes nothing. */
  ask(owner: string, item: { readonly id: string; readonly payload: unknown }): Promise<void>
  /** The owner's open items, oldest first. */
  open(owner: string): Promise<readonly InboxItem[]>
  /** Closes the item with this answer; false when it is not there, not this owner's, or already closed. */
  answer(owner: string, id: string, answer: unknown): Promise<boolean>
  /** Closes the item without an answer; false under the same conditions as `answer`. */
  withdraw(owner: string, id: string): Promise<boolean>
  /** Withdraws every open item of every owner: for a process that starts alone and knows that their calls are gone. */
  withdrawAll(): Promise<number>
}

type InboxRow = {
  readonly id: string
  readonly asked_at: Date
  readonly key_id: string
  readonly payload: Uint8Array
}

/** An inbox on `database`, sealed with `keys`. */
export function createInbox(database: Database, keys: OwnerKeys, now: () => Date): Inbox {
  const openItem = async (owner: string, row: InboxRow): Promise<InboxItem> => {
    const key = await keys.byId(owner, row.key_id)
    const payload = openValue(key, locationOf(owner, row.id, 'payload'), unpack(row.payload))
    return { id: row.id, askedAt: row.asked_at, payload }
  }
  return {
    async ask(owner, item) {
      assertStorable({ owner, id: item.id })
      const key = await keys.current(owner)
      const payload = pack(sealValue(key, locationOf(owner, item.id, 'payload'), item.payload))
      const parameters = [owner, item.id, now(), key.id, payload]
      await database.transaction(owner, (query) => query(insertOpen, parameters))
    },
    async open(owner) {
      assertStorable({ owner })
      const rows = await database.transaction(owner, (query) => query<InboxRow>(selectOpen, [owner]))
      return Promise.all(rows.map((row) => openItem(owner, row)))
    },
    async answer(owner, id, answer) {
      assertStorable({ owner, id })
      const key = await keys.current(owner)
      const sealed = pack(sealValue(key, locationOf(owner, id, 'answer'), answer))
      const rows = await database.transaction(owner, (query) =>
        query(close, [owner, id, 'answered', now(), key.id, sealed]),
      )
      return rows.length > 0
    },
    async withdraw(owner, id) {
      assertStorable({ owner, id })
      const rows = await database.transaction(owner, (query) =>
        query(close, [owner, id, 'withdrawn', now(), null, null]),
      )
      return rows.length > 0
    },
    async withdrawAll() {
      const sql = 'select lockbox.withdraw_all($1) as withdrawn'
      const rows = await database.transaction(NO_OWNER, (query) => query<{ withdrawn: number }>(sql, [now()]))
      return rows[0]?.withdrawn ?? 0
    },
  }
}

const insertOpen = `
insert into lockbox.inbox (owner, id, state, asked_at, key_id, payload)
values ($1, $2, 'open', $3, $4, $5) on conflict (owner, id) do nothing`

const selectOpen = `
select id, asked_at, key_id, payload from lockbox.inbox
where owner = $1 and state = 'open' order by asked_at, id`

const close = `
update lockbox.inbox set state = $3, closed_at = $4, answer_key_id = $5, answer = $6
where owner = $1 and id = $2 and state = 'open' returning id`

function locationOf(owner: string, id: string, part: 'payload' | 'answer'): ValueLocation {
  return ['inbox', owner, id, part]
}
