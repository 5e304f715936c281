import type { Field } from '../documents/config-document.ts'
import type { JsonValue } from '../documents/json-value.ts'
import type { SpecFieldName, SpecFields } from '../spec/spec-fields.ts'
import type { EntryReader } from './entry-reader.ts'
import type { EntryWriter } from './entry-writer.ts'

/** What becomes of a field: it means the same here, it is said differently, it is left out, or it keeps its server out. */
export type FieldOutcome = 'kept' | 'translated' | 'dropped' | 'refused'

/** What one field of a dialect means. */
export interface FieldRule {
  /** The canonical fields it is read into. */
  readonly specFields: readonly SpecFieldName[]
  /** Left out where it follows from the names: a field that is called as in a spec is kept, another one translated. */
  readonly outcome?: FieldOutcome
  /** Why, or how. */
  readonly note?: string
  /** It is written even when its slots say nothing. */
  readonly isAlwaysWritten?: boolean
  /** The fields inside, of one that is a group. */
  readonly inner?: FieldTable
  read(field: Field, entry: EntryReader): void
  /** The field's value for these slots, which it takes out of them; undefined when there is nothing to write. */
  write?(specFields: SpecFields, writer: EntryWriter): JsonValue | undefined
}

/** The fields of an entry, in the order in which they are written. */
export type FieldTable = Readonly<Record<string, FieldRule>>
