import type { JsonSchema } from '@toolbridge/client'
import { isJsonObject } from '@toolbridge/client/internal'
import type { SchemaChecks } from '../schema/schema-checks.ts'
import type { Markers } from './markers.ts'
import { recordOf } from '../schema/schema.ts'

/** The arguments of a model in the form of the tool, or the reason why they are invalid. */
export type RestoredArguments =
  | { readonly kind: 'arguments'; readonly args: Readonly<Record<string, unknown>> }
  | { readonly kind: 'refused'; readonly reason: string }

/** Converts arguments for a lowered schema to arguments for the original schema. */
export class ArgumentRestorer {
  readonly #root: JsonSchema
  readonly #markers: Markers
  readonly #checks: SchemaChecks
  readonly #choices = new WeakMap<JsonSchema, JsonSchema>()

  constructor(root: JsonSchema, markers: Markers, checks: SchemaChecks) {
    this.#root = root
    this.#markers = markers
    this.#checks = checks
  }

  restore(args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const whole = this.#markers.hasOptional ? this.#withoutNulls(this.#root, args) : args
    const named = this.#markers.aliases.size === 0 ? whole : this.#renamed(whole)
    return isJsonObject(named) ? named : {}
  }

  /** Removes nulls of optional properties, which the provider cannot omit. */
  #withoutNulls(schema: JsonSchema, value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    const meant = this.#meant(schema, value)
    if (meant === undefined) return value
    if (Array.isArray(value)) {
      const { items } = meant
      return isJsonObject(items) ? value.map((item: unknown) => this.#withoutNulls(items, item)) : value
    }
    const optional = this.#markers.optional.get(meant)
    const properties = isJsonObject(meant['properties']) ? meant['properties'] : {}
    return recordOf(
      Object.entries(value).flatMap(([name, inner]): readonly (readonly [string, unknown])[] => {
        if (inner === null && optional?.has(name) === true) return []
        const property = Object.hasOwn(properties, name) ? properties[name] : undefined
        return [[name, isJsonObject(property) ? this.#withoutNulls(property, inner) : inner]]
      }),
    )
  }

  /** The schema that applies to a value: the target of a reference, or the first choice that matches. */
  #meant(schema: JsonSchema, value: unknown): JsonSchema | undefined {
    const { $ref, anyOf } = schema
    if (typeof $ref === 'string') {
      const definitions = this.#root['$defs']
      const target = isJsonObject(definitions) ? definitions[$ref.slice('#/$defs/'.length)] : undefined
      return isJsonObject(target) ? this.#meant(target, value) : undefined
    }
    if (!Array.isArray(anyOf)) return schema
    const choice = anyOf.filter(isJsonObject).find((one) => this.#fits(one, value))
    return choice && this.#meant(choice, value)
  }

  #fits(choice: JsonSchema, value: unknown): boolean {
    let whole = this.#choices.get(choice)
    if (whole === undefined) {
      whole = { ...choice, $defs: this.#root['$defs'] ?? {} }
      this.#choices.set(choice, whole)
    }
    return this.#checks.problems(whole, value)?.length === 0
  }

  #renamed(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item: unknown) => this.#renamed(item))
    if (!isJsonObject(value)) return value
    const { aliases } = this.#markers
    return recordOf(
      Object.entries(value).map(
        ([name, inner]) => [aliases.get(name) ?? name, this.#renamed(inner)] as const,
      ),
    )
  }
}
