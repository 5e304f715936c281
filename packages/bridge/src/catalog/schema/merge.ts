import type { JsonSchema } from '@toolbridge/client'
import { deepEqual } from '@toolbridge/client/internal'
import { intersection, type OnDropped } from './intersection.ts'
import { mergeObjects } from './merge-objects.ts'
import { type Schema, schemaList, stringList } from './schema.ts'

type Merger = (a: unknown, b: unknown, dropped: () => void) => unknown

const larger: Merger = (a, b) => Math.max(Number(a), Number(b))
const smaller: Merger = (a, b) => Math.min(Number(a), Number(b))
const both: Merger = (a, b) => ({ allOf: [a, b] })

const mergers: Readonly<Record<string, Merger>> = {
  minimum: larger,
  exclusiveMinimum: larger,
  minLength: larger,
  minItems: larger,
  minProperties: larger,
  maximum: smaller,
  exclusiveMaximum: smaller,
  maxLength: smaller,
  maxItems: smaller,
  maxProperties: smaller,
  uniqueItems: (a, b) => a === true || b === true,
  required: (a, b) => [...new Set([...stringList(a), ...stringList(b)])],
  propertyNames: both,
  not: (a, b) => ({ anyOf: [a, b] }),
  anyOf: product,
  oneOf: product,
  multipleOf: (a, b, dropped) => {
    if (Number(a) % Number(b) === 0) return a
    if (Number(b) % Number(a) !== 0) dropped()
    return b
  },
}

/** Annotations do not constrain; the first one wins. */
const annotations = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
])
/** Keywords merged by other functions, and `__proto__`, which must not be assigned. */
const handledElsewhere = new Set([
  '__proto__',
  'type',
  'enum',
  'const',
  'properties',
  'patternProperties',
  'additionalProperties',
  'items',
  'prefixItems',
  'dependentSchemas',
  'dependentRequired',
])

/**
 * The intersection of two schemas without references and `allOf` at the top. Nested schemas may be combined as `allOf`.
 * False if unsatisfiable.
 */
export function merge(a: Schema, b: Schema, dropped: OnDropped): Schema {
  if (a === false || b === false) return false
  if (a === true) return b
  if (b === true) return a
  const types = mergedTypes(a['type'], b['type'])
  if (types?.length === 0) return false
  const merged: Record<string, unknown> = { ...b, ...a }
  for (const [keyword, value] of Object.entries(b)) {
    if (handledElsewhere.has(keyword) || annotations.has(keyword) || !Object.hasOwn(a, keyword)) continue
    merged[keyword] = mergedKeyword(keyword, a[keyword], value, dropped)
  }
  if (types !== undefined) merged['type'] = types.length === 1 ? types[0] : types
  const values = mergedValues(a, b)
  if (values?.length === 0) return false
  if (values !== undefined) {
    merged['enum'] = values
    delete merged['const']
  }
  return { ...merged, ...mergedItems(a, b), ...mergeObjects(a, b, dropped) }
}

function mergedKeyword(keyword: string, a: unknown, b: unknown, dropped: OnDropped): unknown {
  if (deepEqual(a, b)) return a
  const merger = mergers[keyword]
  if (merger !== undefined) return merger(a, b, () => dropped(keyword))
  dropped(keyword)
  return a
}

/** Undefined if neither declares a type. */
function mergedTypes(a: unknown, b: unknown): readonly string[] | undefined {
  const [first, second] = [typesOf(a), typesOf(b)]
  if (first === undefined || second === undefined) return first ?? second
  const common = first.flatMap((type) => {
    if (second.includes(type)) return [type]
    if (type === 'integer' && second.includes('number')) return [type]
    return type === 'number' && second.includes('integer') ? ['integer'] : []
  })
  return [...new Set(common)]
}

function typesOf(type: unknown): readonly string[] | undefined {
  if (typeof type === 'string') return [type]
  return Array.isArray(type) ? stringList(type) : undefined
}

/** Undefined unless both enumerate values; the keyword of one alone stays. */
function mergedValues(a: JsonSchema, b: JsonSchema): readonly unknown[] | undefined {
  const [first, second] = [listedValues(a), listedValues(b)]
  if (first === undefined || second === undefined) return undefined
  return first.filter((value) => second.some((other) => deepEqual(value, other)))
}

/** The values of `enum` or `const`; undefined if absent. */
export function listedValues(schema: JsonSchema): readonly unknown[] | undefined {
  const listed: unknown = schema['enum']
  const values: readonly unknown[] | undefined = Array.isArray(listed) ? listed : undefined
  if (!Object.hasOwn(schema, 'const')) return values
  const constant = schema['const']
  return values === undefined || values.some((value) => deepEqual(value, constant)) ? [constant] : []
}

function mergedItems(a: JsonSchema, b: JsonSchema): JsonSchema {
  const [first, second] = [schemaList(a['prefixItems'], ''), schemaList(b['prefixItems'], '')]
  const rest = intersection(a['items'], b['items'])
  const length = Math.max(first?.length ?? 0, second?.length ?? 0)
  if (length === 0) return rest === undefined ? {} : { items: rest }
  const prefixItems = Array.from(
    { length },
    (_, index) => intersection(first?.[index] ?? a['items'], second?.[index] ?? b['items']) ?? true,
  )
  return { prefixItems, ...(rest === undefined ? {} : { items: rest }) }
}

const maxProduct = 64

/** Combines each choice of one with each choice of the other. */
function product(a: unknown, b: unknown, dropped: () => void): unknown {
  const [first, second] = [schemaList(a, '') ?? [], schemaList(b, '') ?? []]
  if (first.length * second.length > maxProduct) {
    dropped()
    return first
  }
  return first.flatMap((one) => second.map((other) => ({ allOf: [one, other] })))
}
