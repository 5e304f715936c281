import { type Field, fieldsOf, repeatedFields } from '../documents/config-document.ts'
import type { JsonValue } from '../documents/json-value.ts'
import type { SpecFieldName, SpecFields } from '../spec/spec-fields.ts'
import { type EntryReader, quoted } from './entry-reader.ts'
import type { EntryWriter } from './entry-writer.ts'
import type { FieldRule, FieldTable } from './field-rule.ts'
import { readFlag, readMap, readText, readTexts, readTime, reportRepeated } from './read-values.ts'
import { ownValue, take } from './take-field.ts'
import { readUnknown, refuseUnknown } from './unknown-field.ts'

type TextFieldName = 'command' | 'cwd' | 'envFile' | 'url'
type FlagFieldName = 'enabled' | 'required' | 'readOnly'

/** A non-empty string with variables. */
export function text(specField: TextFieldName): FieldRule {
  return {
    specFields: [specField],
    read: (field, entry) => {
      const value = readText(field, entry, quoted(field))
      if (value !== undefined) entry.specFields[specField] = entry.text(field, value, specField)
    },
    write: (specFields, writer) => {
      const value = take(specFields, specField)
      return value === undefined ? undefined : writer.text(value, specField)
    },
  }
}

/** An array of strings with variables. */
export function list(specField: 'args'): FieldRule {
  return {
    specFields: [specField],
    read: (field, entry) => {
      const items = readTexts(field, entry, quoted(field))
      if (items !== undefined)
        entry.specFields[specField] = items.map(({ location, value }) =>
          entry.text(location, value, specField),
        )
    },
    write: (specFields, writer) =>
      take(specFields, specField)?.flatMap((item) => writer.text(item, specField) ?? []),
  }
}

/** An array of strings that is written even if it is empty. */
export function requiredList(specField: 'args'): FieldRule {
  const rule = list(specField)
  return {
    ...rule,
    isAlwaysWritten: true,
    write: (specFields, writer) => rule.write?.(specFields, writer) ?? [],
  }
}

/** An object of strings; `scalars` also accepts numbers and booleans. */
export function map(specField: 'env' | 'headers', values: 'text' | 'scalars' = 'text'): FieldRule {
  return {
    specFields: [specField],
    read: (field, entry) => {
      const read = readMap(field, entry, specField, values)
      if (read !== undefined) entry.specFields[specField] = { ...read, ...entry.specFields[specField] }
    },
    write: (specFields, writer) => writeMap(take(specFields, specField), specField, writer),
  }
}

/** Writes an object of strings, or nothing if it is empty. */
export function writeMap(
  map: Readonly<Record<string, string>> | undefined,
  specField: SpecFieldName,
  writer: EntryWriter,
): Record<string, string> | undefined {
  const entries = Object.entries(map ?? {}).flatMap(([key, value]) => {
    const written = writer.text(value, specField, `${key}: `)
    return written === undefined ? [] : [[key, written] as const]
  })
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** A boolean. A server that any field disables is disabled. */
export function flag(specField: FlagFieldName): FieldRule {
  return {
    specFields: [specField],
    read: (field, entry) => {
      const value = readFlag(field, entry)
      if (value === undefined) return
      entry.specFields[specField] =
        specField === 'enabled' ? (entry.specFields.enabled ?? true) && value : value
    },
    write: (specFields) => take(specFields, specField),
  }
}

/** `disabled`, the inverse of `enabled`. */
export const disabled: FieldRule = {
  specFields: ['enabled'],
  read: (field, entry) => {
    const value = readFlag(field, entry)
    if (value !== undefined) entry.specFields.enabled = (entry.specFields.enabled ?? true) && !value
  },
  write: (specFields) => (take(specFields, 'enabled') === false ? true : undefined),
}

/** `disabled` of a host that ignores it and starts the server. Here the server stays disabled. */
export const disabledHereOnly: FieldRule = {
  ...disabled,
  note: 'the host ignores it',
  read: (field, entry) => {
    disabled.read(field, entry)
    if (field.node.value !== true) return
    entry.translate(field, {
      code: 'field_ignored_by_host',
      message: `${quoted(field)} is not a field of ${entry.dialectTitle}, which starts the server; it is disabled here only`,
      fix: 'disable the server in the host too, or remove the field',
    })
  },
  write: () => undefined,
}

/** `disabled` of a host that does not document it. It is read, but never written: the host may start the server. */
export const disabledUndocumented: FieldRule = {
  ...disabled,
  note: 'undocumented, but in use',
  write: () => undefined,
}

/** A number of milliseconds greater than zero. */
export function milliseconds(specField: 'startMs' | 'callMs'): FieldRule {
  return {
    specFields: [specField],
    note: 'in milliseconds',
    read: (field, entry) => {
      const value = readTime(field, entry)
      if (value !== undefined) entry.specFields[specField] = Math.round(value)
    },
    write: (specFields) => take(specFields, specField),
  }
}

/** A whole number greater than zero. */
export function count(specField: 'maxConcurrency'): FieldRule {
  return {
    specFields: [specField],
    read: (field, entry) => {
      const { value } = field.node
      const isCount = typeof value === 'number' && Number.isSafeInteger(value) && value > 0
      if (isCount) entry.specFields[specField] = value
      else entry.invalid(field, quoted(field), 'a whole number greater than zero')
    },
    write: (specFields) => take(specFields, specField),
  }
}

/** A number of seconds greater than zero. */
export function seconds(specField: 'startMs' | 'callMs'): FieldRule {
  return {
    specFields: [specField],
    outcome: 'translated',
    note: 'in seconds',
    read: (field, entry) => {
      const value = readTime(field, entry)
      if (value !== undefined) entry.specFields[specField] = Math.round(value * 1000)
    },
    write: (specFields) => {
      const value = take(specFields, specField)
      return value === undefined ? undefined : value / 1000
    },
  }
}

/** One of several words. */
export function word<S extends SpecFieldName>(
  specField: S,
  meanings: Readonly<Record<string, Exclude<SpecFields[S], undefined>>>,
): FieldRule {
  return {
    specFields: [specField],
    read: (field, entry) => {
      const meaning = typeof field.node.value === 'string' ? ownValue(meanings, field.node.value) : undefined
      if (meaning === undefined) return entry.invalidWord(field, quoted(field), Object.keys(meanings))
      entry.specFields[specField] = meaning
    },
    write: (specFields) => {
      const written = Object.keys(meanings).find((name) => meanings[name] === specFields[specField])
      if (written !== undefined) delete specFields[specField]
      return written
    },
  }
}

/** An object of nested fields. */
export function group(
  inner: FieldTable,
  options: { readonly also?: (field: Field, entry: EntryReader) => boolean } = {},
): FieldRule {
  return {
    specFields: [...new Set(Object.values(inner).flatMap((rule) => rule.specFields))],
    inner,
    read: (field, entry) => {
      if (options.also?.(field, entry) === true) return
      if (field.node.type !== 'object') return entry.invalid(field, quoted(field), 'an object')
      const fields = fieldsOf(field)
      for (const repeated of repeatedFields(fields)) reportRepeated(repeated, entry)
      for (const each of fields) readInner(inner, each, entry)
    },
    write: (specFields, writer) => {
      const written = writeFields(inner, specFields, writer)
      return Object.keys(written).length === 0 ? undefined : written
    },
  }
}

const restrictingSpecFields: ReadonlySet<SpecFieldName> = new Set<SpecFieldName>([
  'allow',
  'deny',
  'approvalDefault',
  'approvalTools',
])

function readInner(inner: FieldTable, field: Field, entry: EntryReader): void {
  const rule = ownValue(inner, field.key)
  if (rule !== undefined) return rule.read(field, entry)
  const isRestricting = Object.values(inner).some(({ specFields }) =>
    specFields.some((specField) => restrictingSpecFields.has(specField)),
  )
  if (isRestricting) refuseUnknown(field, entry, inner)
  else readUnknown(field, entry, inner)
}

/** Writes fields in the order of the table. */
export function writeFields(
  table: FieldTable,
  specFields: SpecFields,
  writer: EntryWriter,
): Record<string, JsonValue> {
  const written: Record<string, JsonValue> = {}
  for (const [key, rule] of Object.entries(table)) {
    const isEmpty = rule.specFields.every((specField) => specFields[specField] === undefined)
    if (isEmpty && rule.isAlwaysWritten !== true) continue
    const value = rule.write?.(specFields, writer)
    if (value !== undefined) written[key] = value
  }
  return written
}

/** A field that is ignored with a warning. It must not restrict access. */
export function dropped(reason: string, fix = 'no action needed'): FieldRule {
  return {
    specFields: [],
    outcome: 'dropped',
    note: reason,
    read: (field, entry) =>
      entry.drop(field, {
        code: 'field_dropped',
        message: `${quoted(field)} was ignored: ${reason}`,
        fix,
      }),
  }
}

/** A field with a restriction that cannot be enforced here, so the server is refused. False and null have no effect. */
export function refused(reason: string, fix: string): FieldRule {
  return {
    specFields: [],
    outcome: 'refused',
    note: reason,
    read: (field, entry) => {
      if (field.node.value === false || field.node.type === 'null')
        return entry.remember(field, { outcome: 'dropped', reason: 'it has no effect' })
      entry.refuse(field, {
        code: 'field_restricts',
        message: `${quoted(field)} cannot be enforced: ${reason}`,
        fix,
      })
    },
  }
}
