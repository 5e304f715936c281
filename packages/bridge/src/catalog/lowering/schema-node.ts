import type { JsonSchema } from '@toolbridge/client'
import type { SubsetRules } from '../profiles/profile.ts'
import type { NoteSink } from './emitter.ts'
import { describedBy, hintOf, isTakenPattern, type Markers } from './markers.ts'
import { listedValues } from '../schema/merge.ts'
import type { LoweringNote, NoteCode } from '../schema/notes.ts'
import { hasType } from '../schema/inferred-types.ts'
import type { LoweringParts } from './whole-lowering.ts'

/** Where in a schema the lowering is. */
export interface SchemaPosition {
  readonly path: string
  /** How many objects it is inside of. */
  readonly nesting: number
  /** How many schemas it is inside of. */
  readonly depth: number
  /** The references that led here. */
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

/** One schema on its way: what of it can be kept, and what is told in words instead. */
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

  /** Values are listed, and none has this type; other values of the type cannot be told apart from those listed. */
  listsNone(type: 'object' | 'array'): boolean {
    const values = listedValues(this.schema)
    if (values === undefined) return false
    if (!values.some((value) => hasType(value, type))) return true
    this.note('widened', 'enum_widened', `values of type ${type} cannot be listed`)
    this.hint(`one of ${JSON.stringify(values)}`)
    return false
  }

  /** The constraints of a type that the provider has words for. */
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

  /** The lowered schema with its constraints, and with a description that says the rest. */
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
      (keyword !== 'pattern' || isTakenPattern(value, this.#parts.profile))
    )
  }

  #drop(keyword: string, value: unknown): void {
    this.note('widened', 'keyword_dropped', `${keyword} is left out`)
    this.hint(hintOf(keyword, value))
  }
}

/** A constraint that constrains nothing. */
function isIdle(keyword: string, value: unknown): boolean {
  if (keyword === 'uniqueItems') return value !== true
  return keyword.startsWith('min') && keyword !== 'minimum' && keyword !== 'minContains' && value === 0
}
