import { isJsonObject } from '@toolbridge/client/internal'

type Mask = (text: string) => string

/**
 * Masks secrets in the texts of a question, a tool or another declaration of a server, which people and models read.
 * Suggested values that contain a secret are left out. Other values stay: names, URLs and choices become part of calls
 * and answers. Returns the same value if there are no secrets.
 */
export function redactTexts(value: unknown, mask: Mask): unknown {
  return redacted(value, '', mask, 0)
}

function redacted(value: unknown, key: string, mask: Mask, depth: number): unknown {
  if (typeof value === 'string') return textFields.has(key) ? mask(value) : value
  if (depth > maxDepth || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => redacted(item, key, mask, depth + 1))
    return items.every((item, index) => item === value[index]) ? value : items
  }
  return isJsonObject(value) ? redactedObject(value, key, mask, depth) : value
}

function redactedObject(
  value: Readonly<Record<string, unknown>>,
  key: string,
  mask: Mask,
  depth: number,
): unknown {
  const all = Object.entries(value)
  const entries = all.flatMap(([name, item]) => {
    const field = namedSchemas.has(key) ? '' : name
    if (suggestions.has(field) && hasSecret(item, mask)) return []
    return [[name, redacted(item, field, mask, depth + 1)] as const]
  })
  const isSame = entries.length === all.length && entries.every(([name, item]) => item === value[name])
  return isSame ? value : Object.fromEntries(entries)
}

function hasSecret(value: unknown, mask: Mask): boolean {
  const text = JSON.stringify(value) ?? ''
  return mask(text) !== text
}

const maxDepth = 256

/** Fields, at any depth, whose text is shown. */
const textFields: ReadonlySet<string> = new Set([
  ...['tool', 'message', 'detail', 'arguments', 'change', 'reason', 'schema', 'scopes', 'text'],
  ...['title', 'description', '$comment', 'enumNames'],
])

/** Keywords of a schema with values that are shown but need not be used. */
const suggestions: ReadonlySet<string> = new Set(['default', 'example', 'examples'])

/** Keywords of a schema with schemas by name, where a name such as `default` is no keyword. */
const namedSchemas: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions'])
