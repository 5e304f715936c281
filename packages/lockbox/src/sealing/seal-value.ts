import type { DataKey } from './owner-keys.ts'
import { associatedData, type Sealed, seal, unseal } from './seal.ts'

/** Location of a stored value: table, owner and further keys. A value decrypts only at its own location. */
export type ValueLocation = readonly [table: string, owner: string, ...names: readonly string[]]

/** Encrypts a JSON value. Throws `TypeError` for any other value. */
export function sealValue(key: DataKey, location: ValueLocation, value: unknown): Sealed {
  return sealJson(key, location, jsonOf(value))
}

/** Encrypts a JSON text. */
export function sealJson({ id, key }: DataKey, location: ValueLocation, text: string): Sealed {
  return seal(key, Buffer.from(text), associatedData(...location, id))
}

/** Returns the text of a JSON value. Throws `TypeError` for any other value. */
export function jsonOf(value: unknown): string {
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined) throw new TypeError('only JSON values can be stored')
  return text
}

/** Decrypts a value that `sealValue` encrypted for the same location. */
export function openValue({ id, key }: DataKey, location: ValueLocation, sealed: Sealed): unknown {
  return JSON.parse(unseal(key, sealed, associatedData(...location, id)).toString('utf8'))
}

/** Encrypts with another key what `sealValue` encrypted, for the same location. Throws `SealError` as `openValue` does. */
export function resealValue(from: DataKey, to: DataKey, location: ValueLocation, sealed: Sealed): Sealed {
  const text = unseal(from.key, sealed, associatedData(...location, from.id))
  return seal(to.key, text, associatedData(...location, to.id))
}
