import type { JsonSchema } from '@toolbridge/client'
import { isJsonObject } from '@toolbridge/client/internal'
import type { ProviderProfile, WholeRules } from '../profiles/profile.ts'
import { Definitions } from '../schema/definitions.ts'
import type { Flattener } from '../schema/flattener.ts'
import { describedBy, hintOf, isAcceptedPattern, type Markers } from './markers.ts'
import { modernized } from '../schema/modernize.ts'
import { type Notes, Unlowerable } from '../schema/notes.ts'
import { mapSubschemas, recordOf, type Schema, schemaMap, stringList } from '../schema/schema.ts'

export interface LoweringParts {
  readonly flattener: Flattener
  readonly notes: Notes
  readonly markers: Markers
  readonly profile: ProviderProfile
}

const forgotten = new Set([
  '$schema',
  '$id',
  'id',
  '$anchor',
  '$dynamicAnchor',
  '$recursiveAnchor',
  '$comment',
  '$defs',
  'definitions',
  '$vocabulary',
])
const maxDepth = 64

/** Lowers schemas for providers that accept all of JSON Schema: collects `$defs`, modernizes, and renames properties. */
export class WholeLowering {
  readonly #parts: LoweringParts
  readonly #rules: WholeRules
  readonly #definitions = new Definitions()

  constructor(parts: LoweringParts, rules: WholeRules) {
    this.#parts = parts
    this.#rules = rules
  }

  /** Lowers the root object. */
  lower(root: JsonSchema): JsonSchema {
    const lowered = this.#lower(root, '', 0)
    return { ...asObject(lowered), ...this.#definitions.all }
  }

  #lower(schema: Schema, path: string, depth: number): Schema {
    if (typeof schema === 'boolean') return schema
    if (depth > maxDepth)
      throw new Unlowerable('schema_too_deep', `the schema is more than ${maxDepth} levels deep`)
    const { $ref, $dynamicRef, $recursiveRef, description, ...rest } = modernized(schema)
    const reference = $ref ?? $dynamicRef ?? $recursiveRef
    const { kept, hints } = this.#withAcceptedPattern(rest, path)
    const inner = mapSubschemas(withoutForgotten(kept), path, (sub, keyword, name) =>
      this.#inner(sub, keyword, keyword === 'properties' ? `${path}/${name}` : path, depth),
    )
    const { profile, notes } = this.#parts
    return this.#renamed({
      ...(reference === undefined ? {} : this.#referTo(reference)),
      ...this.#withItems(inner),
      ...describedBy(description, hints, { profile, notes, path }),
    })
  }

  #withAcceptedPattern(
    schema: JsonSchema,
    path: string,
  ): { readonly kept: JsonSchema; readonly hints: readonly string[] } {
    const { profile, notes } = this.#parts
    const { pattern, ...kept } = schema
    if (isAcceptedPattern(pattern, profile)) return { kept: schema, hints: [] }
    notes.add('widened', 'keyword_dropped', path, 'pattern is left out')
    return { kept, hints: [hintOf('pattern', pattern)] }
  }

  /** Replaces boolean schemas where providers do not accept them. */
  #inner(schema: Schema, keyword: string, path: string, depth: number): Schema {
    const lowered = this.#lower(schema, path, depth + 1)
    if (typeof lowered !== 'boolean' || mayBeBoolean.has(keyword)) return lowered
    return lowered ? {} : { not: {} }
  }

  #referTo(reference: unknown): JsonSchema {
    const target = this.#parts.flattener.references.resolve(reference)
    return this.#definitions.referTo(String(reference), () => asObject(this.#lower(target, '', 1)))
  }

  #withItems(schema: JsonSchema): JsonSchema {
    const isArray = schema['type'] === 'array' || stringList(schema['type']).includes('array')
    return this.#rules.needsItems && isArray && schema['items'] === undefined
      ? { ...schema, items: {} }
      : schema
  }

  #renamed(schema: JsonSchema): JsonSchema {
    const { markers, profile } = this.#parts
    const alias = (name: string): string => markers.alias(name, profile)
    const renamed: Record<string, unknown> = { ...schema }
    for (const keyword of ['properties', 'dependentSchemas', 'dependentRequired']) {
      const map = schema[keyword]
      if (isJsonObject(map))
        renamed[keyword] = recordOf(Object.entries(map).map(([name, value]) => [alias(name), value]))
    }
    const dependents = renamed['dependentRequired']
    if (isJsonObject(dependents))
      renamed['dependentRequired'] = recordOf(
        Object.entries(dependents).map(([name, names]) => [name, stringList(names).map(alias)]),
      )
    if (schema['required'] !== undefined) renamed['required'] = stringList(schema['required']).map(alias)
    const looksAtNames = schema['patternProperties'] !== undefined || schema['propertyNames'] !== undefined
    if (looksAtNames && [...schemaMap(schema['properties'], '').keys()].some((name) => alias(name) !== name))
      throw new Unlowerable('not_expressible', 'the provider does not take the names of its arguments')
    return renamed
  }
}

const mayBeBoolean = new Set(['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'])

function withoutForgotten(schema: JsonSchema): JsonSchema {
  return recordOf(Object.entries(schema).filter(([keyword]) => !forgotten.has(keyword)))
}

function asObject(schema: Schema): JsonSchema {
  if (typeof schema !== 'boolean') return schema
  return schema ? {} : { not: {} }
}
