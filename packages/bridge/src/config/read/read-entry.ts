import type { Dialect, EntryPlace } from '../dialects/dialect.ts'
import {
  type ConfigDocument,
  type Finding,
  fieldsOf,
  type Place,
  type Report,
  repeatedFields,
} from '../documents/config-document.ts'
import { transportOf } from './entry-transport.ts'
import { EntryReader, type Explain, kindOf, quoted } from '../fields/entry-reader.ts'
import { reportRepeated } from '../fields/read-values.ts'
import type { FieldRule, Outcome } from '../fields/field-rule.ts'
import { ownValue } from '../fields/take-field.ts'
import { readUnknown } from '../fields/unknown-field.ts'
import { remoteSlots, slotPaths, specOf, stdioSlots } from '../spec/spec-fields.ts'
import type { ServerSpec, SpecSource } from '../spec/server-spec.ts'

export interface EntryOptions {
  readonly dialect: Dialect
  readonly platform: string
  readonly report: Report
}

/** Reads the fields of one server's entry. Whatever is wrong is reported, and the entry remembers that it was. */
export function readEntry({ name, place }: EntryPlace, options: EntryOptions): EntryReader {
  const { dialect, platform, report } = options
  const entry = new EntryReader({ server: name, place, dialect, platform, report })
  const problem = problemOf(name, place)
  if (problem !== undefined) {
    entry.refuse(place, { code: 'field_invalid', ...problem })
    return entry
  }
  const fields = fieldsOf(place)
  for (const repeated of repeatedFields(fields)) reportRepeated(repeated, entry)
  for (const field of fields) {
    const rule = ownValue(dialect.fields, field.key)
    if (rule === undefined) readUnknown(field, entry)
    else rule.read(field, entry)
  }
  return entry
}

/** What keeps something from being an entry at all. */
function problemOf(name: string, place: Place): Omit<Finding, 'severity' | 'code'> | undefined {
  if (name.trim() === '')
    return { message: 'it has no name', found: 'no name', expected: 'a name', fix: 'give it a name' }
  if (place.node.type === 'object') return undefined
  const found = kindOf(place)
  const message = `a server must be an object, but is ${found}`
  return { message, found, expected: 'an object', fix: 'write { "command": "…" }' }
}

/** Says of an entry that was read to its end what became of each field, and of each place inside that is worth a word. */
export function explainEntry(
  { server, place, outcomes }: EntryReader,
  { fields }: Dialect,
  { positionOf }: Pick<ConfigDocument, 'positionOf'>,
  explain: Explain,
): void {
  for (const field of fieldsOf(place).filter(({ pointer }) => !outcomes.has(pointer))) {
    const rule = ownValue(fields, field.key)
    explain(server, field, positionOf(field), { outcome: outcomeOf(field.key, rule), reason: reasonOf(rule) })
  }
  for (const { place: at, outcome, reason } of outcomes.values())
    explain(server, at, positionOf(at), { outcome, reason })
}

/** What becomes of a field when nothing special has to be said about it. */
export function outcomeOf(key: string, rule: FieldRule | undefined): Outcome {
  if (rule?.outcome !== undefined) return rule.outcome
  const [slot] = rule?.slots ?? []
  if (slot === undefined) return 'dropped'
  const isGroup =
    rule?.inner !== undefined && rule.slots.every((each) => slotPaths[each].startsWith(`${key}.`))
  const isSameName =
    isGroup || key === slotPaths[slot] || (rule?.slots.length === 1 && slot === 'transport' && key === 'type')
  return isSameName ? 'kept' : 'translated'
}

function reasonOf(rule: FieldRule | undefined): string {
  const into = (rule?.slots ?? []).map((slot) => slotPaths[slot]).join(', ')
  return [into, rule?.note ?? ''].filter((part) => part !== '').join(': ')
}

/** The definition that an entry makes, or undefined when it makes none. */
export function finishEntry(
  entry: EntryReader,
  dialect: Dialect,
  source: SpecSource,
): ServerSpec | undefined {
  const transport = entry.place.node.type === 'object' ? transportOf(entry, dialect) : undefined
  if (transport === undefined || entry.isRefused) return undefined
  reportUnused(entry, dialect, transport)
  const frame = { name: entry.server, source, dialect: dialect.name }
  const { preset } = dialect
  return specOf(
    entry.slots,
    transport,
    Object.keys(preset).length === 0 ? frame : { ...frame, policy: preset },
  )
}

function reportUnused(entry: EntryReader, dialect: Dialect, transport: ServerSpec['transport']): void {
  const unused = new Set(transport === 'stdio' ? remoteSlots : stdioSlots)
  for (const field of fieldsOf(entry.place)) {
    const rule = ownValue(dialect.fields, field.key)
    const isUnused =
      rule !== undefined && rule.slots.length > 0 && rule.slots.every((slot) => unused.has(slot))
    const isOther = isUnused && !['command', 'url', 'serverUrl', 'httpUrl', 'baseUrl'].includes(field.key)
    if (isOther)
      entry.drop(field, {
        code: 'field_unused',
        message: `${quoted(field)} means nothing for its transport and was dropped`,
        fix: 'remove it',
      })
  }
}
