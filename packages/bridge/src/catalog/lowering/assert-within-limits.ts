import type { JsonSchema } from '@toolbridge/client'
import { isJsonObject } from '@toolbridge/client/internal'
import type { SubsetRules } from '../profiles/profile.ts'
import { Unlowerable } from '../schema/notes.ts'

/** Throws if a lowered schema exceeds the limits of its provider. */
export function assertWithinLimits(schema: JsonSchema, rules: SubsetRules): void {
  const counts = { properties: 0, values: 0, characters: 0 }
  count(schema, counts)
  const { maxProperties, maxEnumValues, maxNameCharacters } = rules
  if (counts.properties > maxProperties) tooLarge(`it has more than ${maxProperties} properties`)
  if (counts.values > maxEnumValues) tooLarge(`it lists more than ${maxEnumValues} values`)
  if (counts.characters > maxNameCharacters)
    tooLarge(`its names and values have more than ${maxNameCharacters} characters`)
}

interface Counts {
  properties: number
  values: number
  characters: number
}

function count(value: unknown, counts: Counts): void {
  if (Array.isArray(value)) for (const item of value) count(item, counts)
  if (!isJsonObject(value)) return
  for (const [keyword, inner] of Object.entries(value)) {
    if (keyword === 'enum' && Array.isArray(inner)) {
      counts.values += inner.length
      counts.characters += JSON.stringify(inner).length
    } else if ((keyword === 'properties' || keyword === '$defs') && isJsonObject(inner)) {
      const names = Object.keys(inner)
      if (keyword === 'properties') counts.properties += names.length
      counts.characters += names.join('').length
      for (const schema of Object.values(inner)) count(schema, counts)
    } else count(inner, counts)
  }
}

function tooLarge(message: string): never {
  throw new Unlowerable('schema_too_large', `the schema is too large for the provider: ${message}`)
}
