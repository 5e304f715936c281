import type { JsonSchema } from '@toolbridge/client'
import type { LoweringNote, NoteCode } from '../schema/notes.ts'

/** The scalar types of JSON Schema. */
export type ScalarType = 'string' | 'number' | 'integer' | 'boolean'

/** Records notes and hints for the model at one position. */
export interface NoteSink {
  readonly path: string
  note(effect: LoweringNote['effect'], code: NoteCode, message: string): void
  hint(text: string): void
}

export interface LoweredProperty {
  /** The name for the provider. */
  readonly name: string
  readonly schema: JsonSchema
  readonly isRequired: boolean
}

/** An object whose properties have been lowered. */
export interface LoweredObject {
  readonly properties: readonly LoweredProperty[]
  /** The value of `additionalProperties` or its equivalent; undefined if absent. */
  readonly others: unknown
  /** Some names are forbidden or matched by pattern. */
  readonly hasSpecialNames: boolean
  readonly isRoot: boolean
}

/** Writes schemas in the subset of one provider. */
export interface Emitter {
  /** Whether references are supported; otherwise they are inlined. */
  readonly hasReferences: boolean
  any(notes: NoteSink): JsonSchema
  object(object: LoweredObject, notes: NoteSink): JsonSchema
  /** Undefined if there are no choices. */
  union(choices: readonly JsonSchema[]): JsonSchema | undefined
  /** The keywords for enumerated values of a type. */
  values(type: ScalarType, values: readonly unknown[], notes: NoteSink): JsonSchema
  /** An exclusive bound, for a provider without exclusive bounds. */
  exclusiveBound(keyword: string, value: number, type: ScalarType, notes: NoteSink): JsonSchema
}

/** The choices without duplicates, with nested choices flattened. */
export function distinctChoices(choices: readonly JsonSchema[]): readonly JsonSchema[] {
  const seen = new Map<string, JsonSchema>()
  for (const choice of choices)
    for (const one of innerChoices(choice) ?? [choice]) {
      const key = JSON.stringify(one)
      if (!seen.has(key)) seen.set(key, one)
    }
  return [...seen.values()]
}

/** The choices of a schema that consists of `anyOf` only. */
function innerChoices(schema: JsonSchema): readonly JsonSchema[] | undefined {
  const { anyOf, ...rest } = schema
  return Array.isArray(anyOf) && Object.keys(rest).length === 0 ? anyOf : undefined
}
