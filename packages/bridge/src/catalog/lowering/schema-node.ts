import type { JsonSchema } from '@toolbridge/client'
import type { SubsetRules } from '../profiles/profile.ts'
import type { NoteSink } from './emitter.ts'
import { describedBy, hintOf, isAcceptedPattern, type Markers } from './markers.ts'
import { listedValues } from '../schema/merge.ts'
import type { LoweringNote, NoteCode } from '../schema/notes.ts'
import { hasType } from '../schema/inferred-types.ts'
import type { LoweringParts } from './whole-lowering.ts'

/** A position in a schema during lowering. */
export interface SchemaPosition {
  readonly path: string
  /** Number of enclosing objects. */
  readonly nesting: number
  /** Number of enclosing schemas. */
  readonly depth: number
  /** The references followed to this position. */
  readonly followed: readonly string[]
}

const constraints: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern'],
  number: ['minimum', 'maximum', 'multipleOf'],
  array: [
    'minItems',
    'maxItems',
    'uniqueItems',
    'contains',
    'minContains',
    'maxContains',
    'unevaluatedItems',
  ],
  object: ['minProperties', 'maxProperties', 'propertyNames', 'dependentRequired', 'dependentSchemas'],
}
const untyped = ['not', 'if']

/** A schema during lowering: decides which constraints are kept and which become hints. */
export class SchemaNode implements NoteSink {
  readonly path: string
  readonly schema: JsonSchema
  readonly #parts: LoweringParts
  readonly #rules: SubsetRules
  readonly #hints: string[] = []

  constructor(parts: LoweringParts, rules: SubsetRules, { path }: SchemaPosition, schema: JsonSchema) {
    this.path = path
    this.schema = schema
    this.#parts = parts
    this.#rules = rules
  }

  note(effect: LoweringNote['effect'], code: NoteCode, message: string): void {
    this.#parts.notes.add(effect, code, this.path, message)
  }

  hint(text: string): void {
    this.#hints.push(text)
  }

  /** Returns whether there is an enum without a value of this type. */
  listsNone(type: 'object' | 'array'): boolean {
    const values = listedValues(this.schema)
    if (values === undefined) return false
    if (!values.some((value) => hasType(value, type))) return true
    this.note('widened', 'enum_widened', `values of type ${type} cannot be listed`)
    this.hint(`one of ${JSON.stringify(values)}`)
    return false
  }

  /** The constraints of a type that the provider supports. */
  kept(type: string): JsonSchema {
    const kept: Record<string, unknown> = {}
    for (const keyword of [...(constraints[type === 'integer' ? 'number' : type] ?? []), ...untyped]) {
      const value = this.schema[keyword]
      if (value === undefined || isIdle(keyword, value)) continue
      if (this.#takes(keyword, value)) kept[keyword] = value
      else this.#drop(keyword, value)
    }
    const { format } = this.schema
    if (typeof format !== 'string' || type === 'object' || type === 'array') return kept
    if (this.#rules.formats.has(format)) return { ...kept, format }
    this.hint(`format ${format}`)
    return kept
  }

  /** Adds the supported constraints, and the others as hints in the description. */
  finished(lowered: JsonSchema, type: string, markers: Markers): JsonSchema {
    const kept = this.kept(type)
    if (this.schema['default'] !== undefined) this.hint(`default ${JSON.stringify(this.schema['default'])}`)
    const { profile, notes } = this.#parts
    const about = describedBy(this.schema['description'], this.#hints, { profile, notes, path: this.path })
    return markers.copied({ ...lowered, ...kept, ...about }, lowered)
  }

  get markers(): Markers {
    return this.#parts.markers
  }

  #takes(keyword: string, value: unknown): boolean {
    return (
      this.#rules.keywords.has(keyword) &&
      (keyword !== 'pattern' || isAcceptedPattern(value, this.#parts.profile))
    )
  }

  #drop(keyword: string, value: unknown): void {
    this.note('widened', 'keyword_dropped', `${keyword} is left out`)
    this.hint(hintOf(keyword, value))
  }
}

/** Returns whether a constraint has no effect. */
function isIdle(keyword: string, value: unknown): boolean {
  if (keyword === 'uniqueItems') return value !== true
  return keyword.startsWith('min') && keyword !== 'minimum' && keyword !== 'minContains' && value === 0
}
