import { createHmac, hkdfSync } from 'node:crypto'
import type { DataKey } from '../sealing/owner-keys.ts'
import { associatedData } from '../sealing/seal.ts'

/** The columns of an entry that its code covers. */
export type ChainedEntry = {
  readonly writer: string
  readonly number: number
  readonly owner: string
  readonly at: Date
  readonly key_id: string
  readonly payload: Uint8Array
}

/** Computes the message authentication codes of a chain. */
export interface ChainCodes {
  /** The code before the first entry of a writer. */
  start(writer: string): Buffer
  /** The code of an entry, given that of the entry before. */
  next(previous: Uint8Array, entry: ChainedEntry): Buffer
}

const CODE_BYTES = 32

/** Codes under a key that is derived from `key`, which also encrypts. */
export function chainCodes({ key }: DataKey): ChainCodes {
  const secret = Buffer.from(hkdfSync('sha256', key, '', 'toolbridge/lockbox/audit', CODE_BYTES))
  return {
    start: (writer) => createHmac('sha256', secret).update(associatedData('audit', writer)).digest(),
    next(previous, { writer, number, owner, at, key_id, payload }) {
      const fields = associatedData('audit', writer, String(number), owner, at.toISOString(), key_id)
      return createHmac('sha256', secret).update(previous).update(fields).update(payload).digest()
    },
  }
}
