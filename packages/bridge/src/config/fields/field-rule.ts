import type { Field } from '../documents/config-document.ts'
import type { JsonValue } from '../documents/json-value.ts'
import type { SpecFieldName, SpecFields } from '../spec/spec-fields.ts'
import type { EntryReader } from './entry-reader.ts'
import type { EntryWriter } from './entry-writer.ts'

/** `kept`: same name and meaning. `translated`: expressed differently. `dropped`: ignored. `refused`: the server is not used. */
export type FieldOutcome = 'kept' | 'translated' | 'dropped' | 'refused'

/** How one field of a dialect is read and written. */
export interface FieldRule {
  /** Canonical fields that it sets. */
  readonly specFields: readonly SpecFieldName[]
  /** Default: `kept` if the field has its canonical name, else `translated`. */
  readonly outcome?: FieldOutcome
  /** A remark for the documentation and `explainConfig`. */
  readonly note?: string
  /** Whether it is written even if its canonical fields are not set. */
  readonly isAlwaysWritten?: boolean
  /** Nested fields of a group. */
  readonly inner?: FieldTable
  read(field: Field, entry: EntryReader): void
  /** Removes its canonical fields and returns the value to write, or undefined if there is nothing to write. */
  write?(specFields: SpecFields, writer: EntryWriter): JsonValue | undefined
}

/** Fields of an entry, in the order of writing. */
export type FieldTable = Readonly<Record<string, FieldRule>>
