import type { JsonSchema } from '@toolbridge/client'
import { recordOf } from './schema.ts'

/** The schemas that others refer to, each lowered once however often it is referred to. */
export class Definitions {
  readonly #names = new Map<string, string>()
  readonly #schemas = new Map<string, JsonSchema>()

  /** The new reference for an old one. */
  referTo(reference: string, lower: () => JsonSchema): JsonSchema {
    let name = this.#names.get(reference)
    if (name === undefined) {
      name = this.#freshName(reference)
      // The name is taken before the schema is lowered: it may refer to itself.
      this.#names.set(reference, name)
      this.#schemas.set(name, lower())
    }
    return { $ref: `#/$defs/${name}` }
  }

  /** What to add to the schema at the top. */
  get all(): JsonSchema {
    return this.#schemas.size === 0 ? {} : { $defs: recordOf(this.#schemas) }
  }

  #freshName(reference: string): string {
    const last = reference.split(/[/#]/).at(-1) ?? ''
    const stem = last.replaceAll(/[^A-Za-z0-9_]/g, '_').slice(0, 40) || 'root'
    const taken = new Set(this.#names.values())
    let name = stem
    for (let count = 2; taken.has(name); count += 1) name = `${stem}_${count}`
    return name
  }
}
