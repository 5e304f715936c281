import {
  type DocumentLocation,
  type Field,
  type Finding,
  fieldOf,
  fieldsOf,
  itemsOf,
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

type EntryContext = Pick<RootContext, 'report' | 'document'>

/** The entries of a map, each name once. */
export function mapEntries(servers: DocumentLocation, context: EntryContext): readonly LocatedEntry[] {
  if (servers.node.type !== 'object') {
    const found = kindOf(servers)
    context.report(servers, {
      code: 'field_invalid',
      severity: 'error',
      message: `the servers must be an object with one property each, but found ${found}`,
      found,
      expected: 'an object with one property per server',
      fix: 'write { "<name>": { "command": "…" } }',
    })
    return []
  }
  // As the JSON parsers of all hosts do. Their parsers of YAML and TOML refuse the file.
  return withoutRepeated(fieldsOf(servers), context, { isLastUsed: context.document.format === 'json' })
}

/** Reports duplicate names and returns the last definition, or none. */
function withoutRepeated(
  fields: readonly Field[],
  context: EntryContext,
  { isLastUsed }: { readonly isLastUsed: boolean },
): readonly LocatedEntry[] {
  return [...byKey(fields)].flatMap(([name, same]) => {
    const last = same.at(-1)
    if (name === '' || same.length === 1 || last === undefined) return same.map(entryOf)
    context.report(last, duplicate(name, linesOf(same, context), isLastUsed))
    return isLastUsed ? [entryOf(last)] : []
  })
}

function byKey(fields: readonly Field[]): ReadonlyMap<string, readonly Field[]> {
  const groups = new Map<string, Field[]>()
  for (const field of fields) {
    const same = groups.get(field.key)
    if (same === undefined) groups.set(field.key, [field])
    else same.push(field)
  }
  return groups
}

function entryOf(field: Field): LocatedEntry {
  return { name: field.key, location: field }
}

function linesOf(fields: readonly Field[], { document }: EntryContext): string {
  const lines = [...new Set(fields.map((field) => document.positionOf(field).line))]
  return lines.length === 1 ? `on line ${lines[0]}` : `on lines ${lines.join(' and ')}`
}

function duplicate(name: string, lines: string, isLastUsed: boolean): Finding {
  const outcome = isLastUsed ? '; the last definition is used' : ', so none of the definitions is used'
  return {
    code: 'server_duplicate',
    severity: isLastUsed ? 'warning' : 'error',
    message: `server "${name}" is defined more than once, ${lines}${outcome}`,
    found: 'the same name again',
    expected: 'each name once',
    fix: 'rename or remove the others',
  }
}

/** Reports and removes duplicate names of entries that are not in a map. No parser chooses between those. */
export function listEntries(
  entries: readonly LocatedEntry[],
  context: EntryContext,
): readonly LocatedEntry[] {
  const named = entries.map(({ name, location }) => ({ key: name, ...location }))
  return withoutRepeated(named, context, { isLastUsed: false })
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
  return location?.node.type === 'array' ? textsIn(location) : undefined
}

/** The strings of a list. */
export function textsIn(list: DocumentLocation): readonly string[] {
  return itemsOf(list).flatMap(({ node }) => (typeof node.value === 'string' ? [node.value] : []))
}

/** A setting whose name may have dots: in the field of that name, and in nested objects. */
export function settingsAt(root: DocumentLocation, name: string): readonly DocumentLocation[] {
  const nested = name.includes('.') ? descend(root, name.split('.')) : undefined
  return [fieldOf(root, name), nested].flatMap((found) => found ?? [])
}
