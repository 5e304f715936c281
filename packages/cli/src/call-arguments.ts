import { isJsonObject } from '@toolbridge/client/internal'
import type { JsonSchema } from '@toolbridge/client'
import { UsageError } from './usage-error.ts'

type Arguments = Readonly<Record<string, unknown>>

/** Reads a tool's arguments: one JSON object, or `name=value` pairs whose values take the type the schema gives. */
export function parseCallArguments(words: readonly string[], schema: JsonSchema): Arguments {
  const [first, ...others] = words
  if (first === undefined) return {}
  if (first.trimStart().startsWith('{') && others.length === 0) return jsonObject(first)
  return Object.fromEntries(words.map((word) => pair(word, schema)))
}

function jsonObject(text: string): Arguments {
  try {
    const value: unknown = JSON.parse(text)
    if (isJsonObject(value)) return { ...value }
  } catch (error) {
    throw new UsageError(
      `the arguments are not valid JSON: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  throw new UsageError('the arguments must be one JSON object')
}

function pair(word: string, schema: JsonSchema): readonly [string, unknown] {
  const equals = word.indexOf('=')
  if (equals < 1) {
    throw new UsageError(`"${word}" is neither a JSON object nor name=value, for example: text="hello there"`)
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
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${name} must be JSON of type ${JSON.stringify(type)}, not "${text}"`)
  }
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
