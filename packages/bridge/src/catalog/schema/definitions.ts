import type { JsonSchema } from '@toolbridge/client'
import { recordOf } from './schema.ts'

/** The referenced schemas, each lowered once. */
export class Definitions {
  readonly #names = new Map<string, string>()
  readonly #schemas = new Map<string, JsonSchema>()

  /** Returns the lowered reference. */
  referTo(reference: string, lower: () => JsonSchema): JsonSchema {
    let name = this.#names.get(reference)
    if (name === undefined) {
      name = this.#freshName(reference)
      // Registered before the schema is lowered, because it may refer to itself.
      this.#names.set(reference, name)
      this.#schemas.set(name, lower())
    }
    return { $ref: `#/$defs/${name}` }
  }

  /** The `$defs` of the root schema. */
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
