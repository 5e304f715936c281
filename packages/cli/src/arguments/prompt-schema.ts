import type { JsonSchema, Prompt } from '@toolbridge/client'

/** The arguments of a prompt as a JSON Schema: they are all text. */
export function promptSchema({ arguments: args = [] }: Prompt): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(
      args.map(({ name, description }) => [name, { type: 'string', description }]),
    ),
    required: args.flatMap(({ name, required }) => (required === true ? [name] : [])),
    additionalProperties: false,
  }
}
