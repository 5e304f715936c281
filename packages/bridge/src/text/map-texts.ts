import { isJsonObject } from '@toolbridge/client/internal'

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

function mappedObject(
  value: Readonly<Record<string, unknown>>,
  key: string,
  map: MapText,
  depth: number,
): unknown {
  const all = Object.entries(value)
  const entries = all.flatMap(([name, item]) => {
    const field = namedSchemas.has(key) ? '' : name
    if (suggestions.has(field) && isChanged(item, map)) return []
    return [[name, mapped(item, field, map, depth + 1)] as const]
  })
  const isSame = entries.length === all.length && entries.every(([name, item]) => item === value[name])
  return isSame ? value : Object.fromEntries(entries)
}

function isChanged(value: unknown, map: MapText): boolean {
  const text = JSON.stringify(value) ?? ''
  return map(text) !== text
}

const maxDepth = 256

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
