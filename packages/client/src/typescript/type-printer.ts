import { isJsonObject, type JsonObject } from '../jsonrpc/json.ts'
import { SchemaReader } from '../schema/schema-reader.ts'
import { comment } from './comment.ts'
import { keyText, literalText, type TypeNames } from './names.ts'

/** Deeper schemas are `unknown`. */
const maxDepth = 40

interface Declaration {
  readonly name: string
  readonly schema: unknown
  text: string
  /** Types that it consists of without an object or list in between, which must not lead back to it. */
  readonly aliases: Set<string>
}

/**
 * Prints the JSON Schema of a tool as TypeScript types: the schema itself under `name`, and one type for each schema that
 * it refers to. What TypeScript cannot express, such as limits and patterns, is left out.
 */
export function printTypes(schema: unknown, name: string, names: TypeNames): readonly string[] {
  const printer = new TypePrinter(new SchemaReader(schema), name, names, 'readonly ')
  return printer.print(schema).map((declaration) => `export ${declaration}`)
}

/** A type without a name, and the declarations that it refers to. */
export interface InlineType {
  readonly type: string
  readonly declarations: readonly string[]
}

/** Prints a JSON Schema in few words: as a type without a name where that is possible, and without `readonly`. */
export function printInline(schema: unknown, name: string, names: TypeNames): InlineType {
  const [own = '', ...others] = new TypePrinter(new SchemaReader(schema), name, names, '').print(schema)
  const type = own.slice(`type ${name} = `.length, -1)
  const isNamed = [type, ...others].some((text) => new RegExp(`\\b${name}\\b`).test(text))
  return isNamed ? { type: name, declarations: [own, ...others] } : { type, declarations: others }
}

class TypePrinter {
  readonly #name: string
  readonly #reader: SchemaReader
  readonly #names: TypeNames
  /** `readonly ` or nothing. */
  readonly #modifier: string
  /** By reference. */
  readonly #declarations = new Map<string, Declaration>()
  /** The declaration that is being printed, and whether an object or list is around the current type. */
  #current: Declaration | undefined
  #isNested = false

  constructor(reader: SchemaReader, name: string, names: TypeNames, modifier: string) {
    this.#reader = reader
    this.#names = names
    this.#name = name
    this.#modifier = modifier
  }

  /** The declarations, the type of the schema itself first. */
  print(schema: unknown): readonly string[] {
    this.#declare('#', this.#name, schema)
    // References that are found on the way are added at the end.
    for (const declaration of this.#declarations.values()) {
      this.#current = declaration
      declaration.text = this.#type(declaration.schema, '', 0)
    }
    const all = [...this.#declarations.values()]
    const byName = new Map(all.map((each) => [each.name, each]))
    // Arguments must stay an object.
    const instead = (each: Declaration): string => (each.name === this.#name ? 'object' : 'unknown')
    return all.map((each) => `type ${each.name} = ${leadsBack(each, byName) ? instead(each) : each.text}\n`)
  }

  #declare(reference: string, name: string, schema: unknown): Declaration {
    const declaration: Declaration = { name, schema, text: 'unknown', aliases: new Set() }
    this.#declarations.set(reference, declaration)
    return declaration
  }

  #type(schema: unknown, indent: string, depth: number): string {
    if (schema === false) return 'never'
    if (!isJsonObject(schema) || depth > maxDepth) return 'unknown'
    const { $ref, ...rest } = schema
    if ($ref !== undefined) return intersection([this.#reference($ref), this.#own(rest, indent, depth)])
    return this.#own(schema, indent, depth)
  }

  #reference(reference: unknown): string {
    const schema = this.#reader.target(reference)
    if (typeof reference !== 'string' || schema === undefined) return 'unknown'
    const { name } =
      this.#declarations.get(reference) ??
      this.#declare(reference, this.#names.next(this.#name, reference.split('/').at(-1) ?? ''), schema)
    if (!this.#isNested) this.#current?.aliases.add(name)
    return name
  }

  /** The type of a schema without its reference. */
  #own(schema: JsonObject, indent: string, depth: number): string {
    if (Array.isArray(schema['enum'])) return union(schema['enum'].map(literalType))
    if ('const' in schema) return literalType(schema['const'])
    const parts = [
      this.#ofTypes(schema, indent, depth),
      ...listOf(schema['allOf']).map((each) => this.#type(each, indent, depth + 1)),
      this.#choice(schema['anyOf'], indent, depth),
      this.#choice(schema['oneOf'], indent, depth),
    ]
    const whole = intersection(parts)
    return schema['nullable'] === true ? union([whole, 'null']) : whole
  }

  #choice(schemas: unknown, indent: string, depth: number): string {
    if (!Array.isArray(schemas)) return 'unknown'
    return union(schemas.map((each) => this.#type(each, indent, depth + 1)))
  }

  #ofTypes(schema: JsonObject, indent: string, depth: number): string {
    const { type } = schema
    const types = type === undefined ? impliedTypes(schema) : listOf(type)
    if (types.length === 0) return 'unknown'
    return union(types.map((each) => this.#ofType(each, schema, indent, depth)))
  }

  #ofType(type: unknown, schema: JsonObject, indent: string, depth: number): string {
    switch (type) {
      case 'object':
        return this.#nested(() => this.#object(schema, indent, depth))
      case 'array':
        return this.#nested(() => this.#list(schema, indent, depth))
      case 'integer':
        return 'number'
      case 'string':
      case 'number':
      case 'boolean':
      case 'null':
        return type
      default:
        return 'unknown'
    }
  }

  #nested(print: () => string): string {
    const before = this.#isNested
    this.#isNested = true
    const text = print()
    this.#isNested = before
    return text
  }

  #object(schema: JsonObject, indent: string, depth: number): string {
    const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
    const required = new Set(listOf(schema['required']).filter((name) => typeof name === 'string'))
    const names = [...new Set([...Object.keys(properties), ...required])]
    const inner = `${indent}  `
    const fields = names.map((name) => {
      const property: unknown = Object.hasOwn(properties, name) ? properties[name] : true
      const text = isJsonObject(property) ? property['description'] : undefined
      const key = `${keyText(name)}${required.has(name) ? '' : '?'}`
      return `${comment(text, inner)}${inner}${this.#modifier}${key}: ${this.#type(property, inner, depth + 1)}\n`
    })
    const others = this.#others(schema, names.length > 0, inner, depth)
    if (others !== undefined) fields.push(`${inner}${this.#modifier}[name: string]: ${others}\n`)
    // `{}` would accept every value but null and undefined.
    return fields.length === 0 ? 'Readonly<Record<string, never>>' : `{\n${fields.join('')}${indent}}`
  }

  /** The type of properties without a name of their own; undefined if there are none. */
  #others(schema: JsonObject, isMixed: boolean, indent: string, depth: number): string | undefined {
    const { additionalProperties: others, patternProperties: patterns, properties } = schema
    const isOpen = others === true || isJsonObject(others) || isJsonObject(patterns)
    if (!isOpen && (isMixed || properties !== undefined || others === false)) return undefined
    // An index signature covers the named properties too, whose types may differ.
    if (isMixed || isJsonObject(patterns) || !isJsonObject(others)) return 'unknown'
    return this.#type(others, indent, depth + 1)
  }

  #list(schema: JsonObject, indent: string, depth: number): string {
    const { items, prefixItems, minItems } = schema
    const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
    const rest = Array.isArray(items) ? schema['additionalItems'] : items
    const item = rest === undefined || rest === true ? 'unknown' : this.#type(rest, indent, depth + 1)
    if (first.length === 0) return `${this.#modifier}${item === 'never' ? '[]' : `${itemText(item)}[]`}`
    const needed = typeof minItems === 'number' ? minItems : 0
    const texts = first.map(
      (each, index) => `(${this.#type(each, indent, depth + 1)})${index < needed ? '' : '?'}`,
    )
    return `${this.#modifier}[${[...texts, ...(item === 'never' ? [] : [`...(${item})[]`])].join(', ')}]`
  }
}

/** Whether a type consists of itself, which TypeScript refuses. */
function leadsBack(start: Declaration, all: ReadonlyMap<string, Declaration>): boolean {
  const reached = new Set(start.aliases)
  for (const name of reached) for (const next of all.get(name)?.aliases ?? []) reached.add(next)
  return reached.has(start.name)
}

function itemText(item: string): string {
  return /^\w+$/.test(item) ? item : `(${item})`
}

function impliedTypes(schema: JsonObject): readonly string[] {
  if (isJsonObject(schema['properties']) || isJsonObject(schema['additionalProperties'])) return ['object']
  return schema['items'] === undefined && schema['prefixItems'] === undefined ? [] : ['array']
}

function literalType(value: unknown): string {
  if (typeof value === 'string') return literalText(value)
  if (Array.isArray(value)) return `readonly [${value.map(literalType).join(', ')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const fields = Object.entries(value).map(
    ([name, each]) => `readonly ${keyText(name)}: ${literalType(each)}`,
  )
  return `{ ${fields.join('; ')} }`
}

function union(types: readonly string[]): string {
  const different = [...new Set(types)]
  if (different.includes('unknown')) return 'unknown'
  return different.length === 0 ? 'never' : different.map(grouped).join(' | ')
}

function intersection(types: readonly string[]): string {
  const different = [...new Set(types)].filter((type) => type !== 'unknown')
  return different.length === 0 ? 'unknown' : different.map(grouped).join(' & ')
}

/** Parentheses around a type that others are added to. */
function grouped(type: string, _index: number, { length }: readonly string[]): string {
  return length > 1 && /[|&]/.test(type) ? `(${type})` : type
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}
