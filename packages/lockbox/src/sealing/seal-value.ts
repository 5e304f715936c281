import type { DataKey } from './owner-keys.ts'
import { associatedData, type Sealed, seal, unseal } from './seal.ts'

/** Where a value is kept: table, owner and what else names it there. It opens nowhere else. */
export type ValueLocation = readonly [table: string, owner: string, ...names: readonly string[]]

/** Seals anything JSON can hold; throws `TypeError` for the rest. */
export function sealValue({ id, key }: DataKey, location: ValueLocation, value: unknown): Sealed {
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined) throw new TypeError('only a value that JSON can hold can be sealed')
  return seal(key, Buffer.from(text, 'utf8'), associatedData(...location, id))
}

/** Opens what `sealValue` sealed for the same place. */
export function openValue({ id, key }: DataKey, location: ValueLocation, sealed: Sealed): unknown {
  return JSON.parse(unseal(key, sealed, associatedData(...location, id)).toString('utf8'))
}
