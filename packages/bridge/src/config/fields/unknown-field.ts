import type { Field } from '../documents/config-document.ts'
import { mayRestrictAccess, onlyDenies, widensAccess, widensAccessFinding } from './access-fields.ts'
import { type EntryReader, quoted } from './entry-reader.ts'
import type { FieldTable } from './field-rule.ts'
import { nearestName } from './nearest-name.ts'

/**
 * Reads a field that is not in the table. Refuses the server if the field may restrict access: dropping it would silently
 * widen access.
 */
export function readUnknown(field: Field, entry: EntryReader, known: FieldTable): void {
  const { key } = field
  if (widensAccess(key)) return entry.drop(field, widensAccessFinding(key))
  const isEmptyList = field.node.type === 'array' && field.node.children?.length === 0
  if (mayRestrictAccess(key) && !(isEmptyList && onlyDenies(key))) return refuseUnknown(field, entry, known)
  entry.drop(field, {
    code: 'field_unknown',
    message: `${quoted(field)} is unknown and was ignored`,
    fix: suggestion(key, known) ?? 'remove it, or check its spelling',
  })
}

/** Refuses a server because of an unknown field that may restrict access. */
export function refuseUnknown(field: Field, entry: EntryReader, known: FieldTable): void {
  entry.refuse(field, {
    code: 'field_restricts',
    message: `${quoted(field)} is unknown and may restrict the server, so the server is not used`,
    found: 'an unknown field that may restrict access',
    expected: 'only known fields',
    fix:
      suggestion(field.key, known) ??
      `remove "${field.key}", and use a permission rule or "disabled": true instead`,
  })
}

function suggestion(key: string, known: FieldTable): string | undefined {
  const nearest = nearestName(key, Object.keys(known))
  return nearest === undefined ? undefined : `did you mean "${nearest}"?`
}
