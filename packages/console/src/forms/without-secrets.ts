import { isJsonObject } from '../ui/json.ts'
import { ownOf } from './draft.ts'
import type { FormField } from './schema.ts'

type Values = Readonly<Record<string, unknown>>

/** Returns the values without those that the schema marks as secret: they are typed again for each call. */
export function withoutSecrets(fields: readonly FormField[], values: Values): Values {
  const secret = new Set(fields.filter(isSecret).map(({ name }) => name))
  const others = Object.entries(values).filter(([name]) => !secret.has(name))
  const byName = Object.fromEntries(fields.map((field) => [field.name, field]))
  return Object.fromEntries(
    others.map(([name, value]) => {
      const field = ownOf(byName, name)
      return [name, field === undefined ? value : partsOf(field, value)]
    }),
  )
}

/** Returns whether a field or a field in it is secret. */
export function holdsSecret(field: FormField): boolean {
  if (field.kind === 'group') return field.fields.some(holdsSecret)
  if (field.kind === 'list') return holdsSecret(field.item)
  if (field.kind === 'map') return holdsSecret(field.value)
  if (field.kind === 'variant') return field.options.some(holdsSecret)
  return isSecret(field)
}

function isSecret(field: FormField): boolean {
  return field.kind === 'text' && field.type === 'password'
}

function partsOf(field: FormField, value: unknown): unknown {
  if (field.kind === 'group' && isJsonObject(value)) return withoutSecrets(field.fields, value)
  if (field.kind === 'list' && Array.isArray(value))
    return isSecret(field.item) ? [] : value.map((part) => partsOf(field.item, part))
  if (field.kind === 'map' && isJsonObject(value)) {
    if (isSecret(field.value)) return {}
    const parts = Object.entries(value).map(([name, part]) => [name, partsOf(field.value, part)])
    return Object.fromEntries(parts)
  }
  return value
}
