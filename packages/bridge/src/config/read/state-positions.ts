import type { Dialect, RootContext } from '../dialects/dialect.ts'
import { type ConfigDocument, type DocumentLocation, fieldsOf } from '../documents/config-document.ts'
import type { EntryReader } from '../fields/entry-reader.ts'
import { ownValue } from '../fields/take-field.ts'

/** Where a value of a document is. */
export interface FieldPosition {
  /** JSON pointer of the value. */
  readonly path: string
  /** Line of the value, starting at 1. */
  readonly line: number
  /** Column of the value, starting at 1. */
  readonly column: number
}

/** Where a document decides that servers do not start. */
export interface StatePositions {
  /** The field or list that disables a server, by server, including servers of other files. */
  readonly disabled: Readonly<Record<string, FieldPosition>>
  /** Entries that cannot be used, by server. */
  readonly refused: Readonly<Record<string, FieldPosition>>
  /** The list of the only enabled servers. */
  readonly onlyEnabled?: FieldPosition
}

type Located = readonly (readonly [string, DocumentLocation])[]

/** Finds where a document disables and refuses servers. Returns undefined if it does neither. */
export function statePositions(
  document: ConfigDocument,
  dialect: Dialect,
  entries: readonly EntryReader[],
  { turnedOff, onlyEnabled }: RootContext,
  refused: Located,
): StatePositions | undefined {
  const lists = [...turnedOff].flatMap(([name, list]) => (list === undefined ? [] : [[name, list] as const]))
  const switches = entries.flatMap((entry) => {
    const field = disablingField(entry, dialect)
    return field === undefined ? [] : [[entry.server, field] as const]
  })
  const list = onlyEnabled?.list
  if (lists.length + switches.length + refused.length === 0 && list === undefined) return undefined
  return {
    disabled: positionsOf([...lists, ...switches], document),
    refused: positionsOf(refused, document),
    ...(list === undefined ? {} : { onlyEnabled: positionOf(list, document) }),
  }
}

/** The field of an entry that disables it: `disabled: true` or `enabled: false`. */
function disablingField({ location }: EntryReader, { fields }: Dialect): DocumentLocation | undefined {
  return fieldsOf(location).find(({ key, node }) => {
    const isSwitch = ownValue(fields, key)?.specFields.includes('enabled') === true
    return isSwitch && node.value === /disab/i.test(key)
  })
}

function positionsOf(located: Located, document: ConfigDocument): Readonly<Record<string, FieldPosition>> {
  return Object.fromEntries(located.map(([name, location]) => [name, positionOf(location, document)]))
}

function positionOf(location: DocumentLocation, document: ConfigDocument): FieldPosition {
  return { path: location.pointer, ...document.positionOf(location) }
}
