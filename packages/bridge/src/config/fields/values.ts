import { type Field, fieldsOf, repeatedFields } from '../documents/config-document.ts'
import type { SlotName, Slots } from '../spec/spec-fields.ts'
import { type EntryReader, quoted } from './entry-reader.ts'
import type { EntryWriter } from './entry-writer.ts'
import { readFlag, readMap, readText, readTexts, readTime, reportRepeated } from './read-values.ts'
import type { FieldRule, FieldTable, Plain } from './field-rule.ts'
import { ownValue, take } from './take-field.ts'
import { readUnknown, refuseUnknown } from './unknown-field.ts'

type TextSlot = 'command' | 'cwd' | 'envFile' | 'url'
type FlagSlot = 'enabled' | 'required' | 'readOnly'

/** A text that is not empty, with the host's variables. */
export function text(slot: TextSlot): FieldRule {
  return {
    slots: [slot],
    read: (field, entry) => {
      const value = readText(field, entry, quoted(field))
      if (value !== undefined) entry.slots[slot] = entry.text(field, value, slot)
    },
    write: (slots, writer) => {
      const value = take(slots, slot)
      return value === undefined ? undefined : writer.text(value, slot)
    },
  }
}

/** An array of texts, with the host's variables. */
export function list(slot: 'args'): FieldRule {
  return {
    slots: [slot],
    read: (field, entry) => {
      const items = readTexts(field, entry, quoted(field))
      if (items !== undefined)
        entry.slots[slot] = items.map(({ place, value }) => entry.text(place, value, slot))
    },
    write: (slots, writer) => take(slots, slot)?.flatMap((item) => writer.text(item, slot) ?? []),
  }
}

/** An array of texts that a host wants to see even when it is empty. */
export function requiredList(slot: 'args'): FieldRule {
  const rule = list(slot)
  return { ...rule, isAlwaysWritten: true, write: (slots, writer) => rule.write?.(slots, writer) ?? [] }
}

/** An object of texts; `scalars` also takes numbers and booleans for texts. */
export function map(slot: 'env' | 'headers', values: 'text' | 'scalars' = 'text'): FieldRule {
  return {
    slots: [slot],
    read: (field, entry) => {
      const read = readMap(field, entry, slot, values)
      if (read !== undefined) entry.slots[slot] = { ...read, ...entry.slots[slot] }
    },
    write: (slots, writer) => writeMap(take(slots, slot), slot, writer),
  }
}

/** Writes the texts of a map, or nothing when there are none. */
export function writeMap(
  map: Readonly<Record<string, string>> | undefined,
  slot: SlotName,
  writer: EntryWriter,
): Record<string, string> | undefined {
  const entries = Object.entries(map ?? {}).flatMap(([key, value]) => {
    const written = writer.text(value, slot, `${key}: `)
    return written === undefined ? [] : [[key, written] as const]
  })
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** True or false. A server that is turned off in one place is off, whatever another one says. */
export function flag(slot: FlagSlot): FieldRule {
  return {
    slots: [slot],
    read: (field, entry) => {
      const value = readFlag(field, entry)
      if (value === undefined) return
      entry.slots[slot] = slot === 'enabled' ? (entry.slots.enabled ?? true) && value : value
    },
    write: (slots) => take(slots, slot),
  }
}

/** `disabled`, the other way round. */
export const disabled: FieldRule = {
  slots: ['enabled'],
  read: (field, entry) => {
    const value = readFlag(field, entry)
    if (value !== undefined) entry.slots.enabled = (entry.slots.enabled ?? true) && !value
  },
  write: (slots) => (take(slots, 'enabled') === false ? true : undefined),
}

/** A number of milliseconds. */
export function milliseconds(slot: 'startMs' | 'callMs'): FieldRule {
  return {
    slots: [slot],
    note: 'in milliseconds',
    read: (field, entry) => {
      const value = readTime(field, entry)
      if (value !== undefined) entry.slots[slot] = Math.round(value)
    },
    write: (slots) => take(slots, slot),
  }
}

/** A number of seconds; a time that is none is left to another field. */
export function seconds(slot: 'startMs' | 'callMs'): FieldRule {
  return {
    slots: [slot],
    outcome: 'translated',
    note: 'in seconds',
    read: (field, entry) => {
      const value = readTime(field, entry)
      if (value !== undefined) entry.slots[slot] = Math.round(value * 1000)
    },
    write: (slots) => {
      const value = take(slots, slot)
      return value === undefined ? undefined : value / 1000
    },
  }
}

/** One of several words. */
export function word<S extends SlotName>(
  slot: S,
  meanings: Readonly<Record<string, Exclude<Slots[S], undefined>>>,
): FieldRule {
  return {
    slots: [slot],
    read: (field, entry) => {
      const meaning = typeof field.node.value === 'string' ? ownValue(meanings, field.node.value) : undefined
      if (meaning === undefined) return entry.invalidWord(field, quoted(field), Object.keys(meanings))
      entry.slots[slot] = meaning
    },
    write: (slots) => {
      const written = Object.keys(meanings).find((name) => meanings[name] === slots[slot])
      if (written !== undefined) delete slots[slot]
      return written
    },
  }
}

/** An object of fields that mean something each. */
export function group(
  inner: FieldTable,
  options: { readonly also?: (field: Field, entry: EntryReader) => boolean } = {},
): FieldRule {
  return {
    slots: [...new Set(Object.values(inner).flatMap((rule) => rule.slots))],
    inner,
    read: (field, entry) => {
      if (options.also?.(field, entry) === true) return
      if (field.node.type !== 'object') return entry.invalid(field, quoted(field), 'an object')
      const fields = fieldsOf(field)
      for (const repeated of repeatedFields(fields)) reportRepeated(repeated, entry)
      for (const each of fields) readInner(inner, each, entry)
    },
    write: (slots, writer) => {
      const written = writeFields(inner, slots, writer)
      return Object.keys(written).length === 0 ? undefined : written
    },
  }
}

const narrowing: ReadonlySet<SlotName> = new Set<SlotName>([
  'allow',
  'deny',
  'approvalDefault',
  'approvalTools',
])

function readInner(inner: FieldTable, field: Field, entry: EntryReader): void {
  const rule = ownValue(inner, field.key)
  if (rule !== undefined) return rule.read(field, entry)
  const isNarrowing = Object.values(inner).some(({ slots }) => slots.some((slot) => narrowing.has(slot)))
  if (isNarrowing) refuseUnknown(field, entry)
  else readUnknown(field, entry)
}

/** Writes the fields of a table, in its order. */
export function writeFields(table: FieldTable, slots: Slots, writer: EntryWriter): Record<string, Plain> {
  const written: Record<string, Plain> = {}
  for (const [key, rule] of Object.entries(table)) {
    const isEmpty = rule.slots.every((slot) => slots[slot] === undefined)
    if (isEmpty && rule.isAlwaysWritten !== true) continue
    const value = rule.write?.(slots, writer)
    if (value !== undefined) written[key] = value
  }
  return written
}

/** A field that says nothing about what a server may do. */
export function dropped(reason: string, fix = 'nothing to do, unless it matters to you'): FieldRule {
  return {
    slots: [],
    outcome: 'dropped',
    note: reason,
    read: (field, entry) =>
      entry.drop(field, {
        code: 'field_dropped',
        message: `${quoted(field)} was dropped: ${reason}`,
        fix,
      }),
  }
}

/** A field that narrows what a server may do in a way that cannot be had here. False and null say nothing. */
export function refused(reason: string, fix: string): FieldRule {
  return {
    slots: [],
    outcome: 'refused',
    note: reason,
    read: (field, entry) => {
      if (field.node.value === false || field.node.type === 'null')
        return entry.remember(field, { outcome: 'dropped', reason: 'it asks for nothing' })
      entry.refuse(field, {
        code: 'field_restricts',
        message: `${quoted(field)} cannot be kept: ${reason}`,
        fix,
      })
    },
  }
}
