import type { JsonSchema } from '@toolbridge/client'
import { SchemaReader } from '@toolbridge/client/internal'
import { typeText } from './type-text.ts'

/** A parameter of a tool. */
export interface Parameter {
  readonly name: string
  /** Its type in a few words, such as `string[]`. */
  readonly type: string
  readonly required: boolean
  /** Untrusted text of the server. */
  readonly description?: string
  readonly default?: unknown
}

/** The parameters of a tool, in the order of its schema. */
export function parametersOf(inputSchema: JsonSchema): readonly Parameter[] {
  const reader = new SchemaReader(inputSchema)
  const required = new Set(reader.required(inputSchema))
  return [...reader.properties(inputSchema)].map(([name, schema]) => {
    const { description, default: preset } = reader.resolve(schema)
    return {
      name,
      type: typeText(schema, reader),
      required: required.has(name),
      ...(typeof description === 'string' ? { description } : {}),
      ...(preset === undefined ? {} : { default: preset }),
    }
  })
}

/** A tool and its parameters as one line: `repeat(text: string, count?: integer = 2)`. */
export function signatureOf(name: string, parameters: readonly Parameter[]): string {
  return `${name}(${parameters.map(parameterText).join(', ')})`
}

/** A parameter as in a signature: `count?: integer = 2`. */
export function parameterText({ name, type, required, default: preset }: Parameter): string {
  const shown = preset === undefined ? '' : JSON.stringify(preset)
  return `${name}${required ? '' : '?'}: ${type}${shown === '' || shown.length > maxDefault ? '' : ` = ${shown}`}`
}

const maxDefault = 40
