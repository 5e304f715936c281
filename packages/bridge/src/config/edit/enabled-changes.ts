import type { Dialect } from '../dialects/dialect.ts'
import { descend } from '../dialects/shapes.ts'
import {
  type ConfigDocument,
  fieldOf,
  fieldsOf,
  itemsOf,
  parseDocument,
  type Place,
} from '../documents/config-document.ts'
import type { DocumentChange } from '../documents/edit-document.ts'
import type { DocumentPath } from '../documents/node.ts'
import { additions, entryIn, pathOf } from './entry-changes.ts'
import { EntryWriter } from '../fields/entry-writer.ts'
import type { Plain } from '../fields/field-rule.ts'
import type { ReadConfigOptions } from '../read/read-config.ts'
import type { ServerSpec } from '../spec/server-spec.ts'
import { writeConfig } from '../write/write-config.ts'

export interface Switching {
  readonly document: ConfigDocument
  readonly dialect: Dialect
  /** The server as it shall be. */
  readonly spec: ServerSpec
  readonly entry: DocumentPath
  readonly options: ReadConfigOptions
}

/** The ways in which a document could say that a server is on, or off. Whoever tries one reads what came of it. */
export function switchesFor(switching: Switching): readonly (readonly DocumentChange[])[] {
  return switching.spec.enabled ? waysOn(switching) : waysOff(switching)
}

function waysOff(switching: Switching): readonly (readonly DocumentChange[])[] {
  const { dialect, entry } = switching
  const ways = Object.entries(dialect.fields)
    .filter(([, { slots }]) => slots.length === 1 && slots[0] === 'enabled')
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
  const beside = dialect.write === undefined ? [] : besideEntry(switching, dialect.write.format)
  return beside.length === 0 ? ways : [...ways, beside]
}

/** What the dialect says elsewhere than in the entry. */
function besideEntry(
  { document, dialect, spec, entry, options }: Switching,
  format: ConfigDocument['format'],
): readonly DocumentChange[] {
  const { text } = writeConfig([spec], { ...options, dialect: dialect.name })
  const written = parseDocument(text, options.file, format)
  const inWritten = 'root' in written ? entryIn(written, dialect, spec.name, options) : undefined
  if (!('root' in written) || inWritten === undefined) return []
  return additions(document, written, { entry, inWritten }).filter(({ path }) => path !== entry)
}

function waysOn({ document, dialect, spec, entry }: Switching): readonly (readonly DocumentChange[])[] {
  const { root } = document
  const place = entry.reduce<Place | undefined>((at, step) => at && stepInto(at, step), root)
  const switches = (place === undefined ? [] : fieldsOf(place))
    .filter(({ key }) => isSwitch(dialect, key))
    .map(({ key }): DocumentChange => ({ path: [...entry, key] }))
  const lists = listsIn(root, namesBeside(dialect)).flatMap((list) => {
    const kept = itemsOf(list).map(({ node }): Plain => node.value ?? null)
    const others = kept.filter((value) => value !== spec.name)
    return others.length === kept.length ? [] : [{ path: pathOf(root, list), value: others }]
  })
  return [switches, ...lists.flatMap((list) => [[list], [...switches, list]])].filter((way) => way.length > 0)
}

function stepInto(place: Place, step: string | number): Place | undefined {
  return typeof step === 'number' ? itemsOf(place)[step] : fieldOf(place, step)
}

function isSwitch({ fields }: Dialect, key: string): boolean {
  const slots = Object.hasOwn(fields, key) ? fields[key]?.slots : undefined
  return slots?.length === 1 && slots[0] === 'enabled'
}

/** The keys of the lists of servers that are on or off. */
function namesBeside({ root }: Dialect): readonly (readonly string[])[] {
  return (root.beside?.enabled ?? '')
    .split(' ')
    .filter((name) => name !== '')
    .map((name) => name.split('.'))
}

/** The lists of those names, for everybody and for single folders. */
function listsIn(root: Place, names: readonly (readonly string[])[]): readonly Place[] {
  const projects = fieldOf(root, 'projects')
  const scopes = [root, ...(projects === undefined ? [] : fieldsOf(projects))]
  return scopes
    .flatMap((scope) => names.map((name) => descend(scope, name)))
    .filter((place) => place?.node.type === 'array')
    .flatMap((place) => (place === undefined ? [] : [place]))
}
