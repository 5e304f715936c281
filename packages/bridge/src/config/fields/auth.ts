import { type Field, itemsOf } from '../documents/config-document.ts'
import type { Slots } from '../spec/spec-fields.ts'
import type { AuthSpec } from '../spec/server-spec.ts'
import { type EntryReader, quoted } from './entry-reader.ts'
import { readText, readTime } from './read-values.ts'
import type { FieldRule, FieldTable, Plain } from './field-rule.ts'
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

/** A text about authorization. A secret may be a reference. */
export function authText(key: AuthText): FieldRule {
  return {
    slots: ['auth'],
    read: (field, entry) => {
      const value = readText(field, entry, quoted(field))
      if (value !== undefined)
        entry.slots.auth = { ...entry.slots.auth, [key]: entry.text(field, value, 'auth') }
    },
    write: (slots, writer) => {
      const value = takeAuth(slots, key)
      return value === undefined ? undefined : writer.text(value, 'auth')
    },
  }
}

/** `oauth`, or `none` to do without. */
export const authKind: FieldRule = {
  slots: ['auth'],
  read: (field, entry) => {
    const { value } = field.node
    if (value === 'none' || value === 'oauth') entry.slots.auth = { ...entry.slots.auth, kind: value }
    else entry.invalidWord(field, quoted(field), ['oauth', 'none'])
  },
  write: (slots) => takeAuth(slots, 'kind'),
}

/** A port that the authorization server's answer comes back to. */
export const callbackPort: FieldRule = {
  slots: ['auth'],
  read: (field, entry) => {
    const value = readTime(field, entry)
    if (value !== undefined) entry.slots.auth = { ...entry.slots.auth, callbackPort: value }
  },
  write: (slots) => takeAuth(slots, 'callbackPort'),
}

/** Scopes, as an array or as one text with blanks between them; written as `style` says. */
export function scopes(style: 'list' | 'text'): FieldRule {
  return {
    slots: ['auth'],
    read: (field, entry) => {
      const value = readScopes(field, entry)
      if (value !== undefined) entry.slots.auth = { ...entry.slots.auth, scopes: value }
    },
    write: (slots) => {
      const value = takeAuth(slots, 'scopes')
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

/** `oauth` and its like: an object of fields about authorization, or `false` to do without. */
export function oauth(inner: FieldTable): FieldRule {
  const fields = group(inner, {
    also: (field, entry) => {
      if (typeof field.node.value !== 'boolean') return false
      if (!field.node.value) entry.slots.auth = { kind: 'none' }
      return true
    },
  })
  return {
    ...fields,
    write: (slots, writer): Plain | undefined => {
      if (slots.auth?.kind !== 'none') return fields.write?.(slots, writer)
      delete slots.auth
      return false
    },
  }
}

/** Takes one field of the authorization out of the slots; when none is left, it is gone as a whole. */
export function takeAuth<K extends keyof AuthSpec>(slots: Slots, key: K): AuthSpec[K] {
  const { [key]: value, ...rest } = slots.auth ?? {}
  if (Object.keys(rest).length === 0) take(slots, 'auth')
  else slots.auth = rest
  return value
}
