import {
  type DocumentLocation,
  type Field,
  fieldOf,
  fieldsOf,
  itemsOf,
  repeatedFields,
} from '../documents/config-document.ts'
import { kindOf } from '../fields/entry-reader.ts'
import type { LocatedEntry, RootContext, RootShape } from './dialect.ts'

/** A map from name to entry, under a path of keys. */
export function serverMap(
  path: readonly string[],
  options: Pick<RootShape, 'knownFields'> & Partial<Pick<RootShape, 'apply' | 'fits' | 'beside'>>,
): RootShape {
  return {
    key: path.join('.'),
    fits: (root) => descend(root, path) !== undefined,
    locate: (root, context) => {
      const servers = descend(root, path)
      return servers === undefined ? [] : mapEntries(servers, context)
    },
    ...options,
  }
}

/** The value at a path of keys. */
export function descend(root: DocumentLocation, path: readonly string[]): DocumentLocation | undefined {
  return path.reduce<DocumentLocation | undefined>(
    (location, key) => (location === undefined ? undefined : fieldOf(location, key)),
    root,
  )
}

/** The entries of a map. Duplicate names are reported and left out. */
export function mapEntries(
  servers: DocumentLocation,
  { report }: Pick<RootContext, 'report'>,
): readonly LocatedEntry[] {
  if (servers.node.type !== 'object') {
    const found = kindOf(servers)
    report(servers, {
      code: 'field_invalid',
      severity: 'error',
      message: `the servers must be an object with one property each, but found ${found}`,
      found,
      expected: 'an object with one property per server',
      fix: 'write { "<name>": { "command": "…" } }',
    })
    return []
  }
  return withoutRepeated(fieldsOf(servers), report)
}

function withoutRepeated(fields: readonly Field[], report: RootContext['report']): readonly LocatedEntry[] {
  const repeated = repeatedFields(fields).filter(({ key }) => key !== '')
  for (const field of repeated) report(field, duplicate(field.key))
  const ambiguous = new Set(repeated.map(({ key }) => key))
  return fields
    .filter(({ key }) => !ambiguous.has(key))
    .map((field) => ({ name: field.key, location: field }))
}

function duplicate(name: string): Parameters<RootContext['report']>[1] {
  return {
    code: 'server_duplicate',
    severity: 'error',
    message: `server "${name}" is defined twice, so neither definition is used`,
    found: 'the same name twice',
    expected: 'each name once',
    fix: 'rename or remove one of them',
  }
}

/** Reports and removes duplicate names of entries that are not in a map. */
export function listEntries(
  entries: readonly LocatedEntry[],
  { report }: Pick<RootContext, 'report'>,
): readonly LocatedEntry[] {
  return withoutRepeated(
    entries.map(({ name, location }) => ({ key: name, ...location })),
    report,
  )
}

/** The entries of an array, named by their `name` field, else by another one. */
export function namedItems(servers: DocumentLocation, other = 'name'): readonly LocatedEntry[] {
  return itemsOf(servers).map((location) => ({
    name: String((fieldOf(location, 'name') ?? fieldOf(location, other))?.node.value ?? ''),
    location,
  }))
}

/** The strings of an array at a path, or undefined if there is no array. */
export function textsAt(root: DocumentLocation, path: readonly string[]): readonly string[] | undefined {
  const location = descend(root, path)
  if (location?.node.type !== 'array') return undefined
  return itemsOf(location).flatMap(({ node }) => (typeof node.value === 'string' ? [node.value] : []))
}
