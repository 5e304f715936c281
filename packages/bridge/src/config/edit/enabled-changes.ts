import type { Dialect } from '../dialects/dialect.ts'
import { descend } from '../dialects/shapes.ts'
import {
  type ConfigDocument,
  type DocumentLocation,
  fieldOf,
  fieldsOf,
  itemsOf,
  parseDocument,
} from '../documents/config-document.ts'
import type { DocumentChange } from '../documents/edit-document.ts'
import type { JsonValue } from '../documents/json-value.ts'
import type { DocumentPath } from '../documents/node.ts'
import { EntryWriter } from '../fields/entry-writer.ts'
import type { ReadConfigOptions } from '../read/read-config.ts'
import type { ServerSpec } from '../spec/server-spec.ts'
import { writeConfig } from '../write/write-config.ts'
import { additions, entryIn, pathOf } from './entry-changes.ts'

export interface EnabledChange {
  readonly document: ConfigDocument
  readonly dialect: Dialect
  /** The server after the change. */
  readonly spec: ServerSpec
  readonly entry: DocumentPath
  readonly options: ReadConfigOptions
}

/** Alternative changes that enable or disable a server. The caller tries them and reads the result back. */
export function enabledChanges(change: EnabledChange): readonly (readonly DocumentChange[])[] {
  return change.spec.enabled ? changesToEnable(change) : changesToDisable(change)
}

function changesToDisable(change: EnabledChange): readonly (readonly DocumentChange[])[] {
  const { dialect, entry } = change
  const alternatives = Object.entries(dialect.fields)
    .filter(([, { specFields }]) => specFields.length === 1 && specFields[0] === 'enabled')
    .flatMap(([key, rule]) => {
      const value = rule.write?.(
        { enabled: false },
        new EntryWriter(
          () => 'canonical',
          () => undefined,
        ),
      )
      return value === undefined ? [] : [[{ path: [...entry, key], value }]]
    })
  const beside = dialect.write === undefined ? [] : besideEntry(change, dialect.write.format)
  return beside.length === 0 ? alternatives : [...alternatives, beside]
}

/** Changes outside of the entry. */
function besideEntry(
  { document, dialect, spec, entry, options }: EnabledChange,
  format: ConfigDocument['format'],
): readonly DocumentChange[] {
  const { text } = writeConfig([spec], { ...options, dialect: dialect.name })
  const written = parseDocument(text, options.file, format)
  const inWritten = 'root' in written ? entryIn(written, dialect, spec.name, options) : undefined
  if (!('root' in written) || inWritten === undefined) return []
  return additions(document, written, { entry, inWritten }).filter(({ path }) => path !== entry)
}

function changesToEnable({
  document,
  dialect,
  spec,
  entry,
}: EnabledChange): readonly (readonly DocumentChange[])[] {
  const { root } = document
  const location = entry.reduce<DocumentLocation | undefined>((at, step) => at && stepInto(at, step), root)
  const switches = (location === undefined ? [] : fieldsOf(location))
    .filter(({ key }) => isSwitch(dialect, key))
    .map(({ key }): DocumentChange => ({ path: [...entry, key] }))
  const lists = listsIn(root, namesBeside(dialect)).flatMap((list) => {
    const kept = itemsOf(list).map(({ node }): JsonValue => node.value ?? null)
    const others = kept.filter((value) => value !== spec.name)
    return others.length === kept.length ? [] : [{ path: pathOf(root, list), value: others }]
  })
  return [switches, ...lists.flatMap((list) => [[list], [...switches, list]])].filter((way) => way.length > 0)
}

function stepInto(location: DocumentLocation, step: string | number): DocumentLocation | undefined {
  return typeof step === 'number' ? itemsOf(location)[step] : fieldOf(location, step)
}

function isSwitch({ fields }: Dialect, key: string): boolean {
  const specFields = Object.hasOwn(fields, key) ? fields[key]?.specFields : undefined
  return specFields?.length === 1 && specFields[0] === 'enabled'
}

/** Keys of the lists of enabled or disabled servers. */
function namesBeside({ root }: Dialect): readonly (readonly string[])[] {
  return (root.beside?.enabled ?? '')
    .split(' ')
    .filter((name) => name !== '')
    .map((name) => name.split('.'))
}

/** Lists with those keys, at the root and for single projects. */
function listsIn(root: DocumentLocation, names: readonly (readonly string[])[]): readonly DocumentLocation[] {
  const projects = fieldOf(root, 'projects')
  const scopes = [root, ...(projects === undefined ? [] : fieldsOf(projects))]
  return scopes
    .flatMap((scope) => names.map((name) => descend(scope, name)))
    .filter((location) => location?.node.type === 'array')
    .flatMap((location) => (location === undefined ? [] : [location]))
}
