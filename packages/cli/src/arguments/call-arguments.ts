import { isJsonObject, isTooDeep, MAX_DEPTH } from '@toolbridge/client/internal'
import type { JsonSchema } from '@toolbridge/client'
import { UsageError } from './usage-error.ts'

type Arguments = Readonly<Record<string, unknown>>

/** Parses a tool's arguments: one JSON object, or `name=value` pairs with values of the type in the schema. */
export function parseCallArguments(words: readonly string[], schema: JsonSchema): Arguments {
  const [first, ...others] = words
  if (first === undefined) return {}
  if (first.trimStart().startsWith('{') && others.length === 0) return jsonObject(first)
  return Object.fromEntries(words.map((word) => pair(word, schema)))
}

function jsonObject(text: string): Arguments {
  try {
    const value: unknown = JSON.parse(text)
    if (isTooDeep(value)) throw new RangeError(`nested deeper than ${MAX_DEPTH} levels`)
    if (isJsonObject(value)) return { ...value }
  } catch (error) {
    throw new UsageError(`invalid JSON arguments: ${error instanceof Error ? error.message : String(error)}`)
  }
  throw new UsageError('invalid arguments: expected one JSON object')
}

function pair(word: string, schema: JsonSchema): readonly [string, unknown] {
  const equals = word.indexOf('=')
  if (equals < 1) {
    throw new UsageError(
      `invalid argument "${word}": expected a JSON object or name=value, for example text="hello there"`,
    )
  }
  const name = word.slice(0, equals)
  return [name, typedValue(name, word.slice(equals + 1), declaredType(schema, name))]
}

function declaredType(schema: JsonSchema, name: string): unknown {
  const properties = asRecord(schema['properties'])
  return asRecord(properties[name])['type']
}

function typedValue(name: string, text: string, type: unknown): unknown {
  if (type === 'string' || type === undefined) return text
  try {
    const value: unknown = JSON.parse(text)
    if (!isTooDeep(value)) return value
  } catch {
    throw new UsageError(`invalid argument ${name}="${text}": expected JSON of type ${JSON.stringify(type)}`)
  }
  throw new UsageError(`invalid argument ${name}: nested deeper than ${MAX_DEPTH} levels`)
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
