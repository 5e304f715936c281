import { nearestName, suggestName } from '@toolbridge/client/internal'
import type { Field } from '../documents/config-document.ts'
import { mayRestrictAccess, onlyDenies, widensAccess, widensAccessFinding } from './access-fields.ts'
import { type EntryReader, quoted } from './entry-reader.ts'
import type { FieldTable } from './field-rule.ts'

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
    fix: suggestField(key, Object.keys(known)) ?? 'remove it, or check its spelling',
  })
}

/** Also knows the words of other hosts: `environment` for `env`. */
function suggestField(key: string, known: readonly string[]): string | undefined {
  const near = suggestName(key, known)
  if (near !== undefined) return near
  const name = otherWords.get(nearestName(key, [...otherWords.keys()]) ?? '')
  return name !== undefined && known.includes(name) ? `did you mean "${name}"?` : undefined
}

const otherWords: ReadonlyMap<string, string> = new Map([
  ['environment', 'env'],
  ['arguments', 'args'],
  ['endpoint', 'url'],
])

/** Refuses a server because of an unknown field that may restrict access. */
export function refuseUnknown(field: Field, entry: EntryReader, known: FieldTable): void {
  entry.refuse(field, {
    code: 'field_restricts',
    message: `${quoted(field)} is unknown and may restrict the server, so the server is not used`,
    found: 'an unknown field that may restrict access',
    expected: 'only known fields',
    fix:
      suggestName(field.key, Object.keys(known)) ??
      `remove "${field.key}", and use a permission rule or "disabled": true instead`,
  })
}
