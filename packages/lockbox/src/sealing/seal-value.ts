import type { DataKey } from './owner-keys.ts'
import { associatedData, type Sealed, seal, unseal } from './seal.ts'

/** Where a value is kept: table, owner and what else names it there. It opens nowhere else. */
export type Place = readonly [table: string, owner: string, ...names: readonly string[]]

/** Seals anything JSON can hold; throws `TypeError` for the rest. */
export function sealValue({ id, key }: DataKey, place: Place, value: unknown): Sealed {
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined) throw new TypeError('only a value that JSON can hold can be sealed')
  return seal(key, Buffer.from(text, 'utf8'), associatedData(...place, id))
}

/** Opens what `sealValue` sealed for the same place. */
export function openValue({ id, key }: DataKey, place: Place, sealed: Sealed): unknown {
  return JSON.parse(unseal(key, sealed, associatedData(...place, id)).toString('utf8'))
}
