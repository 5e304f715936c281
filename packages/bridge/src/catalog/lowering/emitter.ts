import type { JsonSchema } from '@toolbridge/client'
import type { LoweringNote, NoteCode } from '../schema/notes.ts'

/** Types of JSON Schema that hold no others. */
export type ScalarType = 'string' | 'number' | 'integer' | 'boolean'

/** Tells what was given up at one place, and what the model should read there. */
export interface NoteSink {
  readonly path: string
  note(effect: LoweringNote['effect'], code: NoteCode, message: string): void
  hint(text: string): void
}

export interface LoweredProperty {
  /** The name that the provider takes. */
  readonly name: string
  readonly schema: JsonSchema
  readonly isRequired: boolean
}

/** An object whose properties have been lowered. */
export interface LoweredObject {
  readonly properties: readonly LoweredProperty[]
  /** What the schema says of properties that it does not name; undefined when it says nothing. */
  readonly others: unknown
  /** There are names that the tool does not take, or looks at by pattern. */
  readonly hasSpecialNames: boolean
  readonly isRoot: boolean
}

/** How a provider that takes a part of JSON Schema has things written. */
export interface Emitter {
  /** Whether schemas may refer to each other; otherwise they are written out. */
  readonly hasReferences: boolean
  any(notes: NoteSink): JsonSchema
  object(object: LoweredObject, notes: NoteSink): JsonSchema
  /** Undefined for no choice at all. */
  union(choices: readonly JsonSchema[]): JsonSchema | undefined
  /** The keywords that list values of a type. */
  values(type: ScalarType, values: readonly unknown[], notes: NoteSink): JsonSchema
  /** A bound that excludes its own value, for a provider that has no such word. */
  exclusiveBound(keyword: string, value: number, type: ScalarType, notes: NoteSink): JsonSchema
}

/** The choices without those that say the same, and with those of choices inside. */
export function distinctChoices(choices: readonly JsonSchema[]): readonly JsonSchema[] {
  const seen = new Map<string, JsonSchema>()
  for (const choice of choices)
    for (const one of innerChoices(choice) ?? [choice]) {
      const key = JSON.stringify(one)
      if (!seen.has(key)) seen.set(key, one)
    }
  return [...seen.values()]
}

/** The choices of a schema that is nothing but choices. */
function innerChoices(schema: JsonSchema): readonly JsonSchema[] | undefined {
  const { anyOf, ...rest } = schema
  return Array.isArray(anyOf) && Object.keys(rest).length === 0 ? anyOf : undefined
}
