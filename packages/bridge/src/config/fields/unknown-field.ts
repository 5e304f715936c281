import type { Field } from '../documents/config-document.ts'
import { mayRestrictAccess, widensAccess, widensAccessFinding } from './access-fields.ts'
import { type EntryReader, quoted } from './entry-reader.ts'

/** Reads an unknown field. Refuses the server if the field may restrict access: dropping it would silently widen access. */
export function readUnknown(field: Field, entry: EntryReader): void {
  const { key } = field
  if (widensAccess(key)) return entry.drop(field, widensAccessFinding(key))
  if (mayRestrictAccess(key)) return refuseUnknown(field, entry)
  entry.drop(field, {
    code: 'field_unknown',
    message: `${quoted(field)} is unknown and was ignored`,
    fix: 'remove it, or check its spelling',
  })
}

/** Refuses a server because of an unknown field that may restrict access. */
export function refuseUnknown(field: Field, entry: EntryReader): void {
  entry.refuse(field, {
    code: 'field_restricts',
    message: `${quoted(field)} is unknown and may restrict the server, so the server is not used`,
    found: 'an unknown field that may restrict access',
    expected: 'only known fields',
    fix: `remove "${field.key}", and use a permission rule or "disabled": true instead`,
  })
}
