import type { JsonSchema } from '@toolbridge/client'
import { deepEqual } from '@toolbridge/client/internal'
import { listedValues } from './merge.ts'
import { type Schema, schemaMap, stringList } from './schema.ts'

/** Returns whether the schemas are evidently disjoint, so that `oneOf` equals `anyOf`. */
export function areDisjoint(schemas: readonly Schema[]): boolean {
  return schemas.every((one, index) =>
    schemas.slice(index + 1).every((other) => twoAreDisjoint(one, other, 0)),
  )
}

function twoAreDisjoint(a: Schema, b: Schema, depth: number): boolean {
  if (a === false || b === false) return true
  if (a === true || b === true || depth > 3) return false
  return typesAreDisjoint(a, b) || valuesAreDisjoint(a, b) || propertiesAreDisjoint(a, b, depth)
}

function typesAreDisjoint(a: JsonSchema, b: JsonSchema): boolean {
  const [first, second] = [typesOf(a), typesOf(b)]
  return first.length > 0 && second.length > 0 && !first.some((type) => second.includes(type))
}

function typesOf({ type }: JsonSchema): readonly string[] {
  const types = typeof type === 'string' ? [type] : stringList(type)
  return types.map((name) => (name === 'integer' ? 'number' : name))
}

function valuesAreDisjoint(a: JsonSchema, b: JsonSchema): boolean {
  const [first, second] = [listedValues(a), listedValues(b)]
  if (first === undefined || second === undefined) return false
  return !first.some((value) => second.some((other) => deepEqual(value, other)))
}

/** Two objects are disjoint if both require a property whose schemas are disjoint. */
function propertiesAreDisjoint(a: JsonSchema, b: JsonSchema, depth: number): boolean {
  if (a['type'] !== 'object' || b['type'] !== 'object') return false
  const [first, second] = [schemaMap(a['properties'], ''), schemaMap(b['properties'], '')]
  const required = stringList(b['required'])
  return stringList(a['required'])
    .filter((name) => required.includes(name))
    .some((name) => twoAreDisjoint(first.get(name) ?? true, second.get(name) ?? true, depth + 1))
}
