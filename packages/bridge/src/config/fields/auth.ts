import { type Field, itemsOf } from '../documents/config-document.ts'
import type { JsonValue } from '../documents/json-value.ts'
import type { AuthSpec } from '../spec/server-spec.ts'
import type { SpecFields } from '../spec/spec-fields.ts'
import { type EntryReader, quoted } from './entry-reader.ts'
import type { FieldRule, FieldTable } from './field-rule.ts'
import { readPort, readText } from './read-values.ts'
import { take } from './take-field.ts'
import { group } from './values.ts'

type AuthText =
  | 'clientId'
  | 'clientSecret'
  | 'redirectUri'
  | 'resource'
  | 'metadataUrl'
  | 'authorizationUrl'
  | 'tokenUrl'

/** A text field of the authorization settings, with variables. */
export function authText(key: AuthText): FieldRule {
  return {
    specFields: ['auth'],
    read: (field, entry) => {
      const value = readText(field, entry, quoted(field))
      if (value !== undefined)
        entry.specFields.auth = { ...entry.specFields.auth, [key]: entry.text(field, value, 'auth') }
    },
    write: (specFields, writer) => {
      const value = takeAuth(specFields, key)
      return value === undefined ? undefined : writer.text(value, 'auth')
    },
  }
}

/** `oauth`, or `none` to disable authorization. */
export const authKind: FieldRule = {
  specFields: ['auth'],
  read: (field, entry) => {
    const { value } = field.node
    if (value === 'none' || value === 'oauth')
      entry.specFields.auth = { ...entry.specFields.auth, kind: value }
    else entry.invalidWord(field, quoted(field), ['oauth', 'none'])
  },
  write: (specFields) => takeAuth(specFields, 'kind'),
}

/** Port of the local redirect URI. */
export const callbackPort: FieldRule = {
  specFields: ['auth'],
  read: (field, entry) => {
    const value = readPort(field, entry)
    if (value !== undefined) entry.specFields.auth = { ...entry.specFields.auth, callbackPort: value }
  },
  write: (specFields) => takeAuth(specFields, 'callbackPort'),
}

/** Scopes, as an array or as a space-separated string; `style` determines how they are written. */
export function scopes(style: 'list' | 'text'): FieldRule {
  return {
    specFields: ['auth'],
    read: (field, entry) => {
      const value = readScopes(field, entry)
      if (value !== undefined) entry.specFields.auth = { ...entry.specFields.auth, scopes: value }
    },
    write: (specFields) => {
      const value = takeAuth(specFields, 'scopes')
      return style === 'list' ? value : value?.join(' ')
    },
  }
}

function readScopes(field: Field, entry: EntryReader): readonly string[] | undefined {
  const { value } = field.node
  if (typeof value === 'string') return value.split(/[\s,]+/).filter((scope) => scope !== '')
  if (field.node.type !== 'array') return entry.invalid(field, quoted(field), 'an array of strings')
  return itemsOf(field).flatMap((item) => {
    const scope = item.node.value
    return typeof scope === 'string'
      ? [scope]
      : (entry.invalid(item, `every item of ${quoted(field)}`, 'a string') ?? [])
  })
}

/** An object of authorization settings. `false` disables authorization; only some hosts accept it. */
export function oauth(inner: FieldTable, options: { readonly canBeFalse?: true } = {}): FieldRule {
  const fields = group(inner, {
    also: (field, entry) => {
      if (typeof field.node.value !== 'boolean') return false
      if (!field.node.value) entry.specFields.auth = { kind: 'none' }
      return true
    },
  })
  return {
    ...fields,
    write: (specFields, writer): JsonValue | undefined => {
      if (specFields.auth?.kind !== 'none' || options.canBeFalse !== true)
        return fields.write?.(specFields, writer)
      delete specFields.auth
      return false
    },
  }
}

/** Removes and returns one authorization setting; `auth` is removed with the last one. */
export function takeAuth<K extends keyof AuthSpec>(specFields: SpecFields, key: K): AuthSpec[K] {
  const { [key]: value, ...rest } = specFields.auth ?? {}
  if (Object.keys(rest).length === 0) take(specFields, 'auth')
  else specFields.auth = rest
  return value
}
