import type { JsonSchema } from '@toolbridge/client'
import { deepEqual } from '@toolbridge/client/internal'
import { hasType } from '../schema/inferred-types.ts'
import { listedValues } from '../schema/merge.ts'
import { asSchema, type Schema, schemaList } from '../schema/schema.ts'
import type { Emitter, ScalarType } from './emitter.ts'
import type { SchemaNode } from './schema-node.ts'

/** Lowers a string, number, boolean or null. Undefined if there is an enum without a value of the type. */
export function lowerScalar(
  schema: JsonSchema,
  type: string,
  node: SchemaNode,
  emitter: Emitter,
): JsonSchema | undefined {
  const values = listedValues(schema)?.filter((value) => hasType(value, type))
  if (values?.length === 0) return undefined
  if (!isScalarType(type)) return { type: 'null' }
  const lowered = {
    type,
    ...(type === 'number' || type === 'integer' ? exclusiveBounds(schema, type, node, emitter) : {}),
    ...(values === undefined ? {} : emitter.values(type, values, node)),
  }
  return narrowest(node.finished(lowered, type, node.markers), lowered)
}

function isScalarType(type: string): type is ScalarType {
  return type === 'string' || type === 'number' || type === 'integer' || type === 'boolean'
}

function exclusiveBounds(
  schema: JsonSchema,
  type: ScalarType,
  node: SchemaNode,
  emitter: Emitter,
): JsonSchema {
  const bounds: Record<string, unknown> = {}
  for (const keyword of ['exclusiveMinimum', 'exclusiveMaximum']) {
    const value = schema[keyword]
    if (typeof value === 'number') Object.assign(bounds, emitter.exclusiveBound(keyword, value, type, node))
  }
  return bounds
}

/** Keeps the narrower of two bounds. */
function narrowest(finished: JsonSchema, lowered: JsonSchema): JsonSchema {
  const bounds: Record<string, unknown> = {}
  const [low, high] = [lowered['minimum'], lowered['maximum']]
  if (typeof low === 'number') bounds['minimum'] = Math.max(low, Number(finished['minimum'] ?? low))
  if (typeof high === 'number') bounds['maximum'] = Math.min(high, Number(finished['maximum'] ?? high))
  return { ...finished, ...bounds }
}

/** Lowers an array; a tuple becomes an array of any of its items. `lower` joins the schemas of the items. */
export function lowerArray(
  schema: JsonSchema,
  node: SchemaNode,
  emitter: Emitter,
  lower: (items: readonly Schema[]) => JsonSchema | undefined,
): JsonSchema | undefined {
  if (node.listsNone('array')) return undefined
  const prefix = schemaList(schema['prefixItems'], node.path) ?? []
  const rest = schema['items'] === undefined ? true : asSchema(schema['items'], node.path)
  const maxItems = typeof schema['maxItems'] === 'number' ? schema['maxItems'] : Number.POSITIVE_INFINITY
  const endsAfterPrefix = rest === false || maxItems <= prefix.length
  const kinds = prefix.length === 0 ? [rest] : endsAfterPrefix ? prefix : [...prefix, rest]
  if (kinds.some((kind) => !deepEqual(kind, kinds[0])))
    node.note('widened', 'tuple_widened', 'the order of the items is left out')
  const lowered = { type: 'array', ...arrayItems(lower(kinds), node, emitter) }
  const finished = node.finished(lowered, 'array', node.markers)
  const limit = Math.min(maxItems, rest === false ? prefix.length : maxItems, lowered.maxItems ?? maxItems)
  return Number.isFinite(limit) ? { ...finished, maxItems: limit } : finished
}

/** An array with an unsatisfiable item schema must be empty. */
function arrayItems(
  items: JsonSchema | undefined,
  node: SchemaNode,
  emitter: Emitter,
): { readonly items: JsonSchema; readonly maxItems?: number } {
  if (items !== undefined) return { items }
  node.note('kept', 'type_assumed', 'it can only be empty')
  return { items: emitter.union([{ type: 'string' }]) ?? {}, maxItems: 0 }
}
