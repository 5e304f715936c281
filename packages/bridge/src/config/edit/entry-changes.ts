import { pointerSteps } from '@toolbridge/client/internal'
import { isDeepStrictEqual } from 'node:util'
import type { Dialect, LocatedEntry } from '../dialects/dialect.ts'
import {
  type ConfigDocument,
  type DocumentLocation,
  type Finding,
  fieldOf,
  fieldsOf,
  itemsOf,
} from '../documents/config-document.ts'
import type { DocumentChange } from '../documents/edit-document.ts'
import type { JsonValue } from '../documents/json-value.ts'
import type { DocumentPath } from '../documents/node.ts'
import { knownRootFields } from '../read/root-fields.ts'

/** The entries of servers that are defined once. */
function entriesIn(
  document: ConfigDocument,
  dialect: Dialect,
  { workspaceFolder }: { readonly workspaceFolder?: string },
): readonly LocatedEntry[] {
  const repeated = new Set<string>()
  const context = {
    report: (location: DocumentLocation, { code }: Finding) => {
      if (code === 'server_duplicate' && 'key' in location) repeated.add(String(location.key))
    },
    document,
    workspaceFolder,
    inputs: [],
    turnedOff: new Map(),
    deniedTools: new Map(),
  }
  // Without its last definition, a server would have the one before it.
  return dialect.root.locate(document.root, context).filter(({ name }) => !repeated.has(name))
}

/** Path of the entry of a server, or undefined if there is none or more than one. */
export function entryIn(
  document: ConfigDocument,
  dialect: Dialect,
  server: string,
  options: { readonly workspaceFolder?: string },
): DocumentPath | undefined {
  const entry = entriesIn(document, dialect, options).find(({ name }) => name === server)
  return entry === undefined ? undefined : pathOf(document.root, entry.location)
}

/** Path of a new entry beside the existing ones, if that differs from where the dialect writes it. */
export function newEntryIn(
  document: ConfigDocument,
  dialect: Dialect,
  server: string,
  { inWritten, workspaceFolder }: { readonly inWritten: DocumentPath; readonly workspaceFolder?: string },
): DocumentPath | undefined {
  const options = workspaceFolder === undefined ? {} : { workspaceFolder }
  const locations = entriesIn(document, dialect, options).map(({ location }) => location)
  const byParent = new Map(locations.map((location) => [location.pointer.replace(/\/[^/]*$/, ''), location]))
  const paths = [...byParent.values()].map((location) => pathOf(document.root, location))
  const parents = paths.filter((path) => typeof path.at(-1) === 'string').map((path) => path.slice(0, -1))
  const [first] = parents
  const isUsual = parents.some((parent) => isDeepStrictEqual(parent, inWritten.slice(0, -1)))
  return first === undefined || isUsual ? undefined : [...first, server]
}

/** Keys and indices from the root of a document to a location. */
export function pathOf(root: DocumentLocation, { pointer }: DocumentLocation): DocumentPath {
  let at = root
  return pointerSteps(pointer).map((key) => {
    const index = at.node.type === 'array' ? Number(key) : undefined
    at = (index === undefined ? fieldOf(at, key) : itemsOf(at)[index]) ?? at
    return index ?? key
  })
}

export interface EntryPaths {
  /** Path of the entry, if it exists. */
  readonly entry: DocumentPath | undefined
  readonly inWritten: DocumentPath
}

/**
 * Changes that merge a written document into another one: the entry, and related fields outside of the servers. Existing
 * values other than the entry are kept.
 */
export function additions(
  { root }: ConfigDocument,
  { root: written }: ConfigDocument,
  { entry, inWritten }: EntryPaths,
): readonly DocumentChange[] {
  const addFrom = (
    from: DocumentLocation,
    to: DocumentLocation | undefined,
    path: DocumentPath,
  ): readonly DocumentChange[] => {
    if (isDeepStrictEqual(pathOf(written, from), inWritten))
      return [{ path: entry ?? path, value: jsonValueOf(from) }]
    const holdsEntry = entry !== undefined && isWithin(inWritten, pathOf(written, from))
    if (to === undefined && !holdsEntry) return [{ path, value: jsonValueOf(from) }]
    if (from.node.type === 'object')
      return fieldsOf(from)
        .filter(({ key }) => key !== '$schema')
        .flatMap((field) => addFrom(field, to && fieldOf(to, field.key), [...path, field.key]))
    if (from.node.type !== 'array' || to?.node.type !== 'array') return []
    const known = itemsOf(to).map(jsonValueOf)
    const isNew = (item: DocumentLocation): boolean =>
      !known.some((each) => isDeepStrictEqual(each, jsonValueOf(item)))
    return itemsOf(from)
      .filter(isNew)
      .flatMap((item, index) => addFrom(item, undefined, [...path, known.length + index]))
  }
  return addFrom(written, root, [])
}

function isWithin(path: DocumentPath, prefix: DocumentPath): boolean {
  return prefix.every((step, index) => path[index] === step)
}

/** The value at a location. */
function jsonValueOf(location: DocumentLocation): JsonValue {
  const { type, value = null } = location.node
  if (type === 'array') return itemsOf(location).map(jsonValueOf)
  if (type !== 'object') return value
  return Object.fromEntries(fieldsOf(location).map((field) => [field.key, jsonValueOf(field)]))
}

/** Reports whether the host reads the changed field in this file. */
export function isReadAt({ path: [top] }: DocumentChange, { root }: Dialect, file: string): boolean {
  const known = knownRootFields(root, file)
  return known === 'any' || top === root.key.split('.')[0] || known.some((key) => key === top)
}
