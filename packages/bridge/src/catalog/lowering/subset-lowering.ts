import type { JsonSchema } from '@toolbridge/client'
import type { SubsetRules } from '../profiles/profile.ts'
import { Definitions } from '../schema/definitions.ts'
import { areDisjoint } from '../schema/are-disjoint.ts'
import type { Emitter, LoweredProperty } from './emitter.ts'
import { describedBy } from './markers.ts'
import { propertySchema } from '../schema/merge-objects.ts'
import { Unlowerable } from '../schema/notes.ts'
import { lowerArray, lowerScalar } from './subset-values.ts'
import { SchemaNode, type SchemaPosition } from './schema-node.ts'
import { recordOf, schemaList, type Schema, schemaMap, stringList } from '../schema/schema.ts'
import { inferredTypes } from '../schema/inferred-types.ts'
import type { LoweringParts } from './whole-lowering.ts'

/** How often a recursive schema is inlined if references are not supported. */
const maxUnrolled = 2
const maxNodes = 5_000
const annotations = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  '$comment',
  'readOnly',
  'writeOnly',
])

/** Lowers schemas for providers that accept a subset of JSON Schema. */
export class SubsetLowering {
  readonly #parts: LoweringParts
  readonly #rules: SubsetRules
  readonly #emitter: Emitter
  readonly #definitions = new Definitions()
  #nodes = 0

  constructor(parts: LoweringParts, rules: SubsetRules, emitter: Emitter) {
    this.#parts = parts
    this.#rules = rules
    this.#emitter = emitter
  }

  /** Lowers the root object. */
  lower(root: JsonSchema): JsonSchema {
    const position: SchemaPosition = { path: '', nesting: 0, depth: 0, followed: [] }
    const lowered = this.#object(root, position, true)
    if (lowered === undefined) throw new Unlowerable('schema_unsatisfiable', 'no arguments fit the schema')
    return this.#parts.markers.copied({ ...lowered, ...this.#definitions.all }, lowered)
  }

  /** Undefined for an unsatisfiable schema. */
  #lower(schema: Schema, position: SchemaPosition): JsonSchema | undefined {
    if (schema === false) return undefined
    this.#count(position)
    if (schema === true) return this.#any(position, undefined)
    const reference = pureReference(schema)
    if (reference !== undefined) return this.#referenced(reference, schema, position)
    const options = pureChoices(schema)
    if (options === undefined) return this.#choices(schema, position)
    this.#noteOneOf(schema, position)
    return this.#union(
      options.map((option) => this.#lower(option, position)),
      schema,
      position,
    )
  }

  #referenced(reference: string, schema: JsonSchema, position: SchemaPosition): JsonSchema | undefined {
    const target = this.#parts.flattener.references.resolve(reference)
    if (this.#emitter.hasReferences)
      return this.#definitions.referTo(reference, () => {
        const lowered = this.#lower(target, position)
        if (lowered === undefined) throw new Unlowerable('schema_unsatisfiable', `nothing fits ${reference}`)
        return lowered
      })
    if (position.followed.filter((other) => other === reference).length >= maxUnrolled)
      return this.#cut(position)
    const inner = { ...position, followed: [...position.followed, reference] }
    const lowered = this.#lower(target, inner)
    return lowered && { ...lowered, ...this.#described(schema, position) }
  }

  #cut(position: SchemaPosition): JsonSchema {
    this.#parts.notes.add('widened', 'recursion_cut', position.path, 'a shape that contains itself ends here')
    return { type: 'object', description: 'the same shape again' }
  }

  #choices(schema: JsonSchema, position: SchemaPosition): JsonSchema | undefined {
    const { flattener } = this.#parts
    const flat = flattener.flat(schema, position.path)
    if (flat === false) return undefined
    if (flat === true) return this.#any(position, undefined)
    this.#noteOneOf(flat, position)
    const { description, title, default: fallback, ...bare } = flat
    const about = recordOf(
      Object.entries({ description, title, default: fallback }).filter(([, value]) => value !== undefined),
    )
    const choices = flattener.choices(bare, position.path)
    const [only] = choices
    if (choices.length === 1 && only !== undefined) return this.#typed({ ...about, ...only }, position)
    return this.#union(
      choices.map((choice) => this.#typed(choice, position)),
      about,
      position,
    )
  }

  /** Lowers one choice for each of its types. */
  #typed(schema: JsonSchema, position: SchemaPosition): JsonSchema | undefined {
    const types = inferredTypes(schema, (type) =>
      this.#parts.notes.add(
        'narrowed',
        'type_assumed',
        position.path,
        `it says no type and is taken for ${type}`,
      ),
    )
    if (types === undefined) return this.#any(position, schema)
    const lowered = types.map((type) => this.#ofType(schema, type, position))
    const [only] = lowered
    // The emitter writes null, alone or in a union.
    return types.length === 1 && types[0] !== 'null' ? only : this.#union(lowered, {}, position)
  }

  #ofType(schema: JsonSchema, type: string, position: SchemaPosition): JsonSchema | undefined {
    if (type === 'object') return this.#object(schema, position, false)
    const node = new SchemaNode(this.#parts, this.#rules, position, schema)
    if (type === 'array')
      return lowerArray(schema, node, this.#emitter, (items) => this.#items(items, position))
    return lowerScalar(schema, type, node, this.#emitter)
  }

  #items(items: readonly Schema[], position: SchemaPosition): JsonSchema | undefined {
    const inner = { ...position, path: `${position.path}/*`, depth: position.depth + 1 }
    return this.#union(
      items.map((item) => this.#lower(item, inner)),
      {},
      inner,
    )
  }

  #object(schema: JsonSchema, position: SchemaPosition, isRoot: boolean): JsonSchema | undefined {
    const nesting = position.nesting + 1
    if (nesting > this.#rules.maxNesting)
      throw new Unlowerable('schema_too_deep', `objects are nested more than ${this.#rules.maxNesting} deep`)
    const node = new SchemaNode(this.#parts, this.#rules, position, schema)
    if (node.listsNone('object')) return undefined
    const properties = this.#properties(schema, { ...position, nesting })
    if (properties === undefined) return undefined
    const named = schemaMap(schema['properties'], position.path)
    const lowered = this.#emitter.object(
      {
        properties,
        others:
          schema['additionalProperties'] ?? (schema['unevaluatedProperties'] === false ? false : undefined),
        hasSpecialNames: schema['patternProperties'] !== undefined || properties.length < named.size,
        isRoot,
      },
      node,
    )
    return node.finished(lowered, 'object', this.#parts.markers)
  }

  /** Undefined if a required property is unsatisfiable. */
  #properties(schema: JsonSchema, position: SchemaPosition): readonly LoweredProperty[] | undefined {
    const required = new Set(stringList(schema['required']))
    const names = new Set([...schemaMap(schema['properties'], position.path).keys(), ...required])
    const properties: LoweredProperty[] = []
    for (const name of names) {
      const inner = { ...position, path: `${position.path}/${name}`, depth: position.depth + 1 }
      const lowered = this.#lower(propertySchema(schema, name) ?? true, inner)
      const isRequired = required.has(name)
      if (lowered === undefined && isRequired) return undefined
      if (lowered !== undefined)
        properties.push({
          name: this.#parts.markers.alias(name, this.#parts.profile),
          schema: lowered,
          isRequired,
        })
    }
    return properties
  }

  #any(position: SchemaPosition, schema: JsonSchema | undefined): JsonSchema {
    const node = new SchemaNode(this.#parts, this.#rules, position, schema ?? {})
    return node.finished(this.#emitter.any(node), 'any', this.#parts.markers)
  }

  #union(
    choices: readonly (JsonSchema | undefined)[],
    about: JsonSchema,
    position: SchemaPosition,
  ): JsonSchema | undefined {
    const union = this.#emitter.union(choices.filter((choice) => choice !== undefined))
    const described = this.#described(about, position)
    // A reference takes no description; its target has one.
    if (union === undefined || described.description === undefined || union['$ref'] !== undefined)
      return union
    return this.#parts.markers.copied({ ...union, ...described }, union)
  }

  #described(schema: JsonSchema, position: SchemaPosition): { readonly description?: string } {
    const { profile, notes } = this.#parts
    return describedBy(schema['description'], [], { profile, notes, path: position.path })
  }

  #noteOneOf(schema: JsonSchema, position: SchemaPosition): void {
    const { flattener, notes } = this.#parts
    const options = schemaList(schema['oneOf'], position.path)
    if (options === undefined || areDisjoint(options.map((option) => flattener.flat(option, position.path))))
      return
    notes.add('widened', 'one_of_widened', position.path, 'more than one of the choices may fit')
  }

  #count({ depth }: SchemaPosition): void {
    this.#nodes += 1
    if (this.#nodes > maxNodes)
      throw new Unlowerable('schema_too_large', 'the schema unfolds to too many parts')
    if (depth > maxDepth)
      throw new Unlowerable('schema_too_deep', `the schema is more than ${maxDepth} levels deep`)
  }
}

const maxDepth = 40

/** The reference of a schema that consists of `$ref` only, apart from annotations. */
function pureReference(schema: JsonSchema): string | undefined {
  const { $ref, ...rest } = schema
  const isPure = Object.keys(rest).every((keyword) => annotations.has(keyword))
  return typeof $ref === 'string' && isPure ? $ref : undefined
}

/** The choices of a schema that consists of choices only. */
function pureChoices({ anyOf, oneOf, ...rest }: JsonSchema): readonly Schema[] | undefined {
  if ((anyOf === undefined) === (oneOf === undefined)) return undefined
  const isPure = Object.keys(rest).every((keyword) => annotations.has(keyword))
  return isPure ? schemaList(anyOf ?? oneOf, '') : undefined
}
