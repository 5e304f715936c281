import { isJsonObject, type JsonObject } from '@toolbridge/client/internal'

type MapText = (text: string) => string

/**
 * Maps the texts of a question, a tool or another declaration of a server, which people and models read. Suggested values
 * that the function would change are left out. Other values stay: names, URLs and choices become part of calls and
 * answers. Returns the same value if nothing changes.
 */
export function mapTexts(value: unknown, map: MapText): unknown {
  return mapped(value, '', map, 0)
}

function mapped(value: unknown, key: string, map: MapText, depth: number): unknown {
  if (typeof value === 'string') return textFields.has(key) ? map(value) : value
  if (depth > maxDepth || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => mapped(item, key, map, depth + 1))
    return items.every((item, index) => item === value[index]) ? value : items
  }
  return isJsonObject(value) ? mappedObject(value, key, map, depth) : value
}

function mappedObject(value: JsonObject, key: string, map: MapText, depth: number): unknown {
  const isOfNames = namedSchemas.has(key)
  let changes: Map<string, unknown> | undefined
  for (const name of Object.keys(value)) {
    const item = value[name]
    const field = isOfNames ? '' : name
    const isDropped = suggestions.has(field) && isChanged(item, map)
    const result = isDropped ? dropped : mapped(item, field, map, depth + 1)
    if (result !== item) (changes ??= new Map()).set(name, result)
  }
  return changes === undefined ? value : withChanges(value, changes)
}

function withChanges(value: JsonObject, changes: ReadonlyMap<string, unknown>): JsonObject {
  const entries = Object.entries(value).map(([name, item]) => [name, changes.get(name) ?? item] as const)
  return Object.fromEntries(entries.filter(([, item]) => item !== dropped))
}

function isChanged(value: unknown, map: MapText): boolean {
  const text = JSON.stringify(value) ?? ''
  return map(text) !== text
}

const maxDepth = 256

const dropped = Symbol('dropped')

/** Fields, at any depth, whose text is shown. */
const textFields: ReadonlySet<string> = new Set([
  'tool',
  'message',
  'detail',
  'arguments',
  'change',
  'reason',
  'schema',
  'scopes',
  'text',
  'title',
  'description',
  '$comment',
  'enumNames',
])

/** Keywords of a schema with values that are shown but need not be used. */
const suggestions: ReadonlySet<string> = new Set(['default', 'example', 'examples'])

/** Keywords of a schema with schemas by name, where a name such as `default` is no keyword. */
const namedSchemas: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions'])
