import type { JsonSchema } from '@toolbridge/client'
import { merge } from './merge.ts'
import { modernized } from './modernize.ts'
import { type Notes, Unlowerable } from './notes.ts'
import type { References } from './references.ts'
import { schemaList, type Schema } from './schema.ts'

const maxSteps = 20_000

/** Resolves references and `allOf` at the top of schemas. Use one per lowered schema: it bounds the work. */
export class Flattener {
  readonly references: References
  readonly #notes: Notes
  #steps = 0

  constructor(references: References, notes: Notes) {
    this.references = references
    this.#notes = notes
  }

  /** Returns the schema without references and `allOf` at its top. */
  flat(schema: Schema, path: string, followed: ReadonlySet<unknown> = new Set()): Schema {
    this.#count()
    if (typeof schema === 'boolean') return schema
    const { $ref, $dynamicRef, $recursiveRef, allOf, ...rest } = modernized(schema)
    const pointers = [$ref, $dynamicRef, $recursiveRef].filter((pointer) => pointer !== undefined)
    const parts = schemaList(allOf, path) ?? []
    if (pointers.length === 0 && parts.length === 0) return rest
    let whole: Schema = rest
    for (const pointer of pointers) {
      // A reference that leads directly back to itself adds nothing.
      if (followed.has(pointer)) continue
      const target = this.flat(this.references.resolve(pointer), path, new Set([...followed, pointer]))
      whole = this.#merged(whole, target, path)
    }
    for (const part of parts) whole = this.#merged(whole, this.flat(part, path, followed), path)
    return whole
  }

  /** The choices of a flat schema, each merged with the rest of it; the schema itself if there are none. */
  choices(schema: JsonSchema, path: string): readonly JsonSchema[] {
    const { anyOf, oneOf, ...base } = schema
    const lists = [schemaList(anyOf, path), schemaList(oneOf, path)].filter((list) => list !== undefined)
    if (lists.length === 0) return [schema]
    let choices: readonly Schema[] = [base]
    for (const list of lists)
      choices = choices.flatMap((choice) =>
        list.map((option) => this.#merged(choice, this.flat(option, path), path)),
      )
    const found = choices.flatMap((choice) =>
      choice === false ? [] : this.choices(choice === true ? {} : choice, path),
    )
    if (found.length > maxChoices)
      throw new Unlowerable(
        'schema_too_large',
        `there are more than ${maxChoices} choices at ${path || 'the root'}`,
      )
    return found
  }

  #merged(a: Schema, b: Schema, path: string): Schema {
    this.#count()
    return merge(a, b, (keyword) =>
      this.#notes.add('widened', 'merge_widened', path, `of two values of ${keyword} the first is kept`),
    )
  }

  #count(): void {
    this.#steps += 1
    if (this.#steps > maxSteps)
      throw new Unlowerable('schema_too_large', 'the schema unfolds to too many parts')
  }
}

const maxChoices = 64
