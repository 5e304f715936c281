import { readdirSync, readFileSync } from 'node:fs'
import type { JsonSchema } from '@toolbridge/client'
import { schemaProblems } from '@toolbridge/client/internal'
import { splitCommand } from '../src/split-command.ts'

const folder = new URL('../schemas/', import.meta.url)

interface PublishedSchema extends JsonSchema {
  readonly oneOf?: readonly { readonly $ref: string }[]
}

function readSchema(name: string): PublishedSchema {
  return JSON.parse(readFileSync(new URL(`${name}.schema.json`, folder), 'utf8'))
}

/** A schema of the package, or one of its definitions: `config-report list`. */
export function schemaNamed(name: string): JsonSchema {
  const [file = '', definition] = name.split(' ')
  const { oneOf: _variants, ...schema } = readSchema(file)
  return definition === undefined ? readSchema(file) : { ...schema, $ref: `#/$defs/${definition}` }
}

/** Names of the schemas of outputs, and of the definitions of those that have several. */
export function outputSchemas(): readonly string[] {
  const names = readdirSync(folder).map((file) => file.replace('.schema.json', ''))
  return names
    .filter((name) => name !== 'permissions')
    .flatMap((name) => {
      const { oneOf = [] } = readSchema(name)
      return oneOf.length === 0 ? [name] : oneOf.map(({ $ref }) => `${name} ${$ref.replace('#/$defs/', '')}`)
    })
}

const commands =
  /^(?:doctor|tools|call|ask|agent|resources|prompts|complete|replay|config|ps|auth|grants|keys|permissions|lockbox)$/

/** Commands whose schema has the name of another. */
const schemas: Readonly<Record<string, string>> = { replay: 'drift', agent: 'ask' }

/** What is wrong with the JSON that a command line has printed, by the schema of the command. */
export function outputProblems(args: readonly string[], stdout: string): readonly unknown[] {
  const { name: command = '' } = splitCommand(args)
  if (!commands.test(command) || args[args.indexOf('--format') + 1] !== 'json' || stdout === '') return []
  const isStream = args.includes('--stream')
  const schema = schemaNamed(`${schemas[command] ?? command}-report${isStream ? ' line' : ''}`)
  const texts = isStream ? stdout.trimEnd().split('\n') : [stdout]
  return texts.flatMap((text) => {
    const value: unknown = JSON.parse(text)
    if (schemaProblems(schemaNamed('no-configuration'), value).length === 0) return []
    return schemaProblems(schema, value)
  })
}
