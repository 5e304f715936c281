import type { ValueLocation } from './seal-value.ts'

/** Describes where a table stores encrypted values, so that a rotation can encrypt them again. */
export interface SealedColumn {
  /** What a value is, for people. */
  readonly kind: 'setting' | 'question' | 'answer' | 'activity' | 'record'
  /** Table in the schema `lockbox`, with a column `owner` and a foreign key to `owner_keys`. */
  readonly table: string
  /** Column with the id of the data key. */
  readonly keyColumn: string
  /** Columns that identify a row of an owner, with their SQL types. */
  readonly identity: Readonly<Record<string, 'text' | 'integer'>>
  /** SQL expression for the packed value, where `t` is the table. */
  readonly read: string
  /** SQL assignments that store the packed value `resealed.value`. */
  readonly write: string
  /** Returns the location that a value is bound to, from the values of the identity columns as text. */
  location(owner: string, identity: readonly string[]): ValueLocation
}
