import { suggestName } from '@toolbridge/client/internal'
import type { Dialect, RootShape } from '../dialects/dialect.ts'
import { descend, settingsAt } from '../dialects/shapes.ts'
import {
  type ConfigDocument,
  type DocumentLocation,
  type Field,
  fieldsOf,
  type Report,
} from '../documents/config-document.ts'
import { mayRestrictAccess, widensAccess, widensAccessFinding } from '../fields/access-fields.ts'
import type { Explain } from '../fields/entry-reader.ts'
import { type SpecFieldName, specFieldPaths } from '../spec/spec-fields.ts'
import { containsServers, serverKeys, serverRootsIn } from './server-roots.ts'

/** Reports whether a field at the top of a document names its dialect. */
export function isDialectField({ key, node }: Field): boolean {
  return key === 'dialect' && typeof node.value === 'string'
}

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
  const unknown = fields.filter(
    (field) => field.key !== top && !knownFields.includes(field.key) && !isDialectField(field),
  )
  const names = [...(top === undefined ? [] : [top]), ...knownFields]
  return unknown.map((field) => reportUnread(field, names, report)).includes('refused')
}

/** Reports misspelled names of servers and of lists about them where the host keeps other settings beside them. */
export function reportMisspelledRoot(
  { root }: Pick<ConfigDocument, 'root'>,
  { root: shape }: Dialect,
  file: string,
  report: Report,
): void {
  if (knownRootFields(shape, file) === 'any')
    for (const field of fieldsOf(root).filter(({ key }) => !serverKeys.has(key)))
      if (containsServers(field)) reportMisspelled(field, [shape.key], report)
  const paths = Object.values(shape.beside ?? {}).flatMap((names) => names.split(' '))
  for (const parent of new Set(paths.filter((path) => path.includes('.')).map(parentOf)))
    reportMisspelledIn(root, parent, paths, report)
}

function reportMisspelledIn(
  root: DocumentLocation,
  parent: string,
  paths: readonly string[],
  report: Report,
): void {
  const names = paths.filter((path) => parentOf(path) === parent).map((path) => path.slice(parent.length + 1))
  const location = descend(root, parent.split('.'))
  for (const field of location === undefined ? [] : fieldsOf(location)) reportMisspelled(field, names, report)
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('.'))
}

function reportMisspelled(field: Field, names: readonly string[], report: Report): void {
  const fix = names.includes(field.key) ? undefined : suggestName(field.key, names)
  if (fix === undefined) return
  report(field, {
    code: 'field_unknown',
    severity: 'warning',
    message: `"${field.key}" is unknown and was ignored`,
    fix,
  })
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

function reportUnread(field: Field, names: readonly string[], report: Report): 'refused' | 'dropped' {
  const suggestion = suggestName(field.key, names)
  if (widensAccess(field.key)) {
    report(field, { ...widensAccessFinding(field.key), severity: 'warning' })
    return 'dropped'
  }
  if (!mayRestrictAccess(field.key)) {
    report(field, {
      code: 'field_unknown',
      severity: 'warning',
      message: `"${field.key}" is unknown and was ignored`,
      fix: suggestion ?? 'remove it, or check its spelling',
    })
    return 'dropped'
  }
  report(field, {
    code: 'field_restricts',
    severity: 'error',
    message: `"${field.key}" is unknown and may restrict servers, so none of them is used`,
    found: 'an unknown field that may restrict access',
    expected: 'only known fields',
    fix:
      suggestion ??
      `remove "${field.key}"; disable servers with "disabled": true and tools with permission rules`,
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
    if (isDialectField(field)) {
      explain('', field, positionOf(field), { outcome: 'kept', reason: 'dialect' })
      continue
    }
    const outcome = mayRestrictAccess(field.key) && !widensAccess(field.key) ? 'refused' : 'dropped'
    explain('', field, positionOf(field), { outcome, reason: 'it is unknown' })
  }
  for (const [specField, names = ''] of Object.entries(shape.beside ?? {})) {
    const reason = specFieldPaths[specField as SpecFieldName]
    for (const location of names.split(' ').flatMap((name) => settingsAt(root, name))) {
      const outcome = location.pointer === `/${reason}` ? 'kept' : 'translated'
      explain('', location, positionOf(location), { outcome, reason })
    }
  }
}
