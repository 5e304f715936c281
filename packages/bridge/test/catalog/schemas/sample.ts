type Schema = Readonly<Record<string, unknown>>

/** A value that a model held to a lowered schema could say; it may still miss a constraint or two. */
export function sample(schema: unknown, root: Schema, random: () => number, depth = 0): unknown {
  if (!isSchema(schema)) return pick(['x', 1, true, null], random)
  if (typeof schema['$ref'] === 'string') {
    const definitions = root['$defs']
    const target = isSchema(definitions) ? definitions[schema['$ref'].slice('#/$defs/'.length)] : undefined
    return sample(target, root, random, depth + 1)
  }
  if (Array.isArray(schema['enum'])) return pick(schema['enum'], random)
  if (Object.hasOwn(schema, 'const')) return schema['const']
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    const choices = schema[keyword]
    if (Array.isArray(choices) && choices.length > 0 && schema['type'] === undefined)
      return sample(pick(choices, random), root, random, depth + 1)
  }
  if (schema['nullable'] === true && random() < 0.2) return null
  const type = Array.isArray(schema['type']) ? pick(schema['type'], random) : schema['type']
  return ofType(type, schema, root, random, depth)
}

function ofType(type: unknown, schema: Schema, root: Schema, random: () => number, depth: number): unknown {
  if (type === 'null') return null
  if (type === 'boolean') return random() < 0.5
  if (type === 'string') return pick(['a', 'b', 'ab', '', 'long text', 'aab'], random)
  if (type === 'integer') return pick([0, 1, 2, 3, 4, 8, -1, -3, 12], random)
  if (type === 'number') return pick([0, 1, 2, 2.5, 4, 0.5, -1, 12], random)
  if (type === 'array') return anArray(schema, root, random, depth)
  if (type === 'object') return anObject(schema, root, random, depth)
  return pick(['x', 1, true, null, {}, [], { a: 1 }], random)
}

function anArray(schema: Schema, root: Schema, random: () => number, depth: number): unknown {
  const prefix: readonly unknown[] = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : []
  const length = depth > 8 ? Number(schema['minItems'] ?? 0) : Math.floor(random() * 3)
  const count = Math.min(Math.max(length, Number(schema['minItems'] ?? 0)), Number(schema['maxItems'] ?? 3))
  return Array.from({ length: count }, (_, index) =>
    sample(prefix[index] ?? schema['items'], root, random, depth + 1),
  )
}

function anObject(schema: Schema, root: Schema, random: () => number, depth: number): unknown {
  const properties = isSchema(schema['properties']) ? schema['properties'] : {}
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  const names = new Set([...Object.keys(properties), ...required.map(String)])
  const entries = [...names].flatMap((name): [string, unknown][] =>
    required.includes(name) || (depth < 6 && random() < 0.6)
      ? [[name, sample(properties[name] ?? true, root, random, depth + 1)]]
      : [],
  )
  if (schema['additionalProperties'] !== false && random() < 0.15) entries.push(['extra', 'x'])
  return Object.fromEntries(entries)
}

function pick<T>(values: readonly T[], random: () => number): T | undefined {
  return values[Math.floor(random() * values.length)]
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
