import type { JsonSchema } from '@toolbridge/client'
import { decodedFragment, isJsonObject, valueAt } from '@toolbridge/client/internal'
import { Unlowerable } from './notes.ts'
import { asSchema, type Schema } from './schema.ts'

/** Resolves references within one schema. Fetches nothing. */
export class References {
  readonly #root: JsonSchema
  #anchors: ReadonlyMap<string, Schema> | undefined

  constructor(root: JsonSchema) {
    this.#root = root
  }

  /** Throws if the reference has no target or leaves the schema. */
  resolve(reference: unknown): Schema {
    const fragment = typeof reference === 'string' ? this.#fragmentOf(reference) : undefined
    const found =
      fragment === undefined
        ? undefined
        : fragment === '' || fragment.startsWith('/')
          ? valueAt(this.#root, fragment)
          : this.#anchored(fragment)
    if (found === undefined)
      throw new Unlowerable(
        'reference_unresolvable',
        `the reference ${shown(reference)} does not exist in the schema`,
      )
    return asSchema(found, String(reference))
  }

  #fragmentOf(reference: string): string | undefined {
    const [address = '', fragment = ''] = reference.split('#', 2)
    return address === '' || address === this.#root['$id'] ? decodedFragment(fragment) : undefined
  }

  #anchored(name: string): Schema | undefined {
    this.#anchors ??= new Map(anchorsIn(this.#root, 0))
    return this.#anchors.get(name)
  }
}

function shown(reference: unknown): string {
  return typeof reference === 'string' ? `"${reference.slice(0, 100)}"` : '(not a string)'
}

function* anchorsIn(value: unknown, depth: number): Generator<readonly [string, Schema]> {
  if (depth > 64 || typeof value !== 'object' || value === null) return
  if (isJsonObject(value))
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const name = value[keyword]
      if (typeof name === 'string') yield [name, value]
    }
  for (const inner of Object.values(value)) yield* anchorsIn(inner, depth + 1)
}
