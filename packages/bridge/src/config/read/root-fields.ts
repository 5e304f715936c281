import type { Dialect, RootShape } from '../dialects/dialect.ts'
import { descend } from '../dialects/shapes.ts'
import { type ConfigDocument, type Field, fieldsOf, type Report } from '../documents/config-document.ts'
import { mayRestrictAccess, widensAccess, widensAccessFinding } from '../fields/access-fields.ts'
import type { Explain } from '../fields/entry-reader.ts'
import { type SpecFieldName, specFieldPaths } from '../spec/spec-fields.ts'
import { serverRootsIn } from './server-roots.ts'

/** Reports unknown fields outside of the servers. Returns true if one may restrict access, so that no server is usable. */
export function reportUnknownRoot(
  fields: readonly Field[],
  { root }: Dialect,
  file: string,
  report: Report,
): boolean {
  const { key } = root
  const knownFields = knownRootFields(root, file)
  if (knownFields === 'any') return false
  const [top] = key.split('.')
  const unknown = fields.filter((field) => field.key !== top && !knownFields.includes(field.key))
  return unknown.map((field) => reportUnread(field, report)).includes('refused')
}

/** Reports servers under keys that the dialect does not read. */
export function reportOtherServers(
  { root }: Pick<ConfigDocument, 'root'>,
  { root: shape, title }: Dialect,
  file: string,
  report: Report,
): void {
  const known = knownRootFields(shape, file)
  const locations = serverRootsIn(root)
  for (const { name, location } of locations.length < 2 ? [] : locations) {
    const isReportedAsUnknown = known !== 'any' && !known.includes(name)
    if (name === shape.key || isReportedAsUnknown) continue
    report(location, {
      code: 'root_unused',
      severity: 'warning',
      message: `the servers under "${name}" are not read: ${title} reads servers under "${shape.key}"`,
      fix: 'move them there, or read the file in another dialect',
    })
  }
}

/** Known fields outside of the servers, for a file. */
export function knownRootFields({ knownFields }: RootShape, file: string): readonly string[] | 'any' {
  return typeof knownFields === 'function' ? knownFields(file) : knownFields
}

function reportUnread(field: Field, report: Report): 'refused' | 'dropped' {
  if (widensAccess(field.key)) {
    report(field, { ...widensAccessFinding(field.key), severity: 'warning' })
    return 'dropped'
  }
  if (!mayRestrictAccess(field.key)) {
    report(field, {
      code: 'field_unknown',
      severity: 'warning',
      message: `"${field.key}" is unknown and was ignored`,
      fix: 'remove it, or check its spelling',
    })
    return 'dropped'
  }
  report(field, {
    code: 'field_restricts',
    severity: 'error',
    message: `"${field.key}" is unknown and may restrict servers, so none of them is used`,
    found: 'an unknown field that may restrict access',
    expected: 'only known fields',
    fix: `remove "${field.key}"; disable servers with "disabled": true and tools with permission rules`,
  })
  return 'refused'
}

/** Explains the fields outside of the servers that affect them. */
export function explainRoot(
  { root, positionOf }: Pick<ConfigDocument, 'root' | 'positionOf'>,
  { root: shape }: Dialect,
  file: string,
  explain: Explain,
): void {
  const known = knownRootFields(shape, file)
  const [top] = shape.key.split('.')
  for (const field of known === 'any' ? [] : fieldsOf(root)) {
    if (field.key === top || known.includes(field.key)) continue
    const outcome = mayRestrictAccess(field.key) && !widensAccess(field.key) ? 'refused' : 'dropped'
    explain('', field, positionOf(field), { outcome, reason: 'it is unknown' })
  }
  for (const [specField, names = ''] of Object.entries(shape.beside ?? {})) {
    const reason = specFieldPaths[specField as SpecFieldName]
    for (const location of names.split(' ').flatMap((name) => descend(root, name.split('.')) ?? [])) {
      const outcome = location.pointer === `/${reason}` ? 'kept' : 'translated'
      explain('', location, positionOf(location), { outcome, reason })
    }
  }
}
