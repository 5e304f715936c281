import type { Dialect, EntryPlace } from './dialects/dialect.ts'
import { type Field, type Finding, fieldsOf, type Place, type Report, repeatedFields } from './document.ts'
import { EntryReader, type FieldOutcome, kindOf, quoted } from './fields/entry-reader.ts'
import type { FieldRule, Outcome } from './fields/rule.ts'
import { ownValue } from './fields/values.ts'
import { mayRestrict, widening, widens } from './restricting.ts'
import { remoteSlots, slotPaths, specOf, stdioSlots } from './slots.ts'
import type { ServerSpec, SpecSource } from './spec.ts'

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
  for (const repeated of repeatedFields(fields)) {
    entry.refuse(repeated, {
      code: 'field_duplicate',
      message: `${quoted(repeated)} stands there twice`,
      found: 'the same key twice',
      expected: 'each key once',
      fix: 'remove one of them',
    })
  }
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
  explain: (server: string, place: Place, outcome: FieldOutcome) => void,
): void {
  for (const field of fieldsOf(place)) {
    const rule = ownValue(fields, field.key)
    if (!outcomes.has(field.pointer))
      explain(server, field, { outcome: outcomeOf(field.key, rule), reason: reasonOf(rule) })
  }
  for (const { place: at, outcome, reason } of outcomes.values()) explain(server, at, { outcome, reason })
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

/** A field that might narrow what a server may do keeps it out: to drop it would widen access without a word. */
function readUnknown(field: Field, entry: EntryReader): void {
  const { key } = field
  if (widens(key)) return entry.drop(field, widening(key))
  if (!mayRestrict(key)) {
    return entry.drop(field, {
      code: 'field_unknown',
      message: `${quoted(field)} is not understood and was dropped`,
      fix: 'remove it, or check its spelling',
    })
  }
  entry.refuse(field, {
    code: 'field_restricts',
    message: `${quoted(field)} seems to narrow what the server may do and is not understood, so the server is not used`,
    found: 'a field that may narrow access',
    expected: 'only fields that are understood',
    fix: `remove "${key}", and use a permission rule or "disabled": true instead`,
  })
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

function transportOf(entry: EntryReader, dialect: Dialect): ServerSpec['transport'] | undefined {
  const { slots } = entry
  const both = dialect.preset['config.both'] ?? 'reject'
  if (slots.url !== undefined && slots.command !== undefined) return transportOfBoth(entry, both)
  if (slots.url !== undefined) return remoteTransport(entry, dialect)
  if (slots.command === undefined) return nothingToReach(entry, dialect)
  if (slots.transport === undefined || slots.transport === 'stdio')
    return needsType(entry, dialect) ?? 'stdio'
  return mismatch(entry, 'command')
}

function needsType(entry: EntryReader, dialect: Dialect): undefined {
  if (dialect.preset['config.transport'] !== 'required' || entry.slots.transport !== undefined) return
  entry.refuse(entry.place, {
    code: 'field_missing',
    message: `"transport" is missing, which ${dialect.title} asks for`,
    found: 'no "transport"',
    expected: '"stdio" or "http"',
    fix: 'add "transport"',
  })
}

function transportOfBoth(
  entry: EntryReader,
  both: 'reject' | 'prefer-url' | 'by-type',
): ServerSpec['transport'] | undefined {
  const { slots, place } = entry
  if (both === 'reject') {
    return entry.refuse(fieldPlace(entry, 'url'), {
      code: 'url_and_command',
      message: 'it has both an address and a command',
      found: 'both',
      expected: 'one of the two',
      fix: 'keep "url" for a server that is reached, or "command" for one that is started',
    })
  }
  const transport = both === 'prefer-url' ? remoteOf(slots.transport) : (slots.transport ?? 'stdio')
  entry.drop(place, {
    code: 'url_and_command',
    message: `it has both an address and a command; ${entry.dialectTitle} uses the ${transport === 'stdio' ? 'command' : 'address'}`,
    fix: 'remove the other one',
  })
  return transport
}

function remoteOf(named: ServerSpec['transport'] | undefined): ServerSpec['transport'] {
  return named === undefined || named === 'stdio' ? 'http' : named
}

function remoteTransport(entry: EntryReader, dialect: Dialect): ServerSpec['transport'] | undefined {
  const { transport: named, url = '' } = entry.slots
  if (named === 'stdio') return mismatch(entry, 'url')
  if (named !== undefined) return named
  if (needsType(entry, dialect) === undefined && entry.isRefused) return undefined
  if (/^wss?:/i.test(url)) return 'ws'
  if (dialect.addressMeans !== 'nothing') return dialect.addressMeans
  return entry.refuse(fieldPlace(entry, 'url'), {
    code: 'field_missing',
    message: `"type" is missing, without which ${dialect.title} does not use an address`,
    found: 'an address without "type"',
    expected: '"type": "http" or "sse"',
    fix: 'add "type": "http"',
  })
}

function mismatch(entry: EntryReader, definedBy: 'command' | 'url'): undefined {
  return entry.refuse(fieldPlace(entry, 'transport'), {
    code: 'transport_mismatch',
    message: `it names the transport "${entry.slots.transport}" but is defined by ${definedBy === 'url' ? 'an address' : 'a command'}`,
    found: definedBy === 'url' ? 'an address' : 'a command',
    expected: definedBy === 'url' ? 'a command' : 'an address',
    fix: 'remove the name of the transport, or define the server the way it says',
  })
}

function nothingToReach(entry: EntryReader, dialect: Dialect): undefined {
  if (entry.isRefused) return undefined
  const hasAddresses = Object.values(dialect.fields).some((rule) => rule.slots.includes('url'))
  return entry.refuse(entry.place, {
    code: 'field_missing',
    message: hasAddresses
      ? 'it has neither a command nor an address'
      : `it has no command, and ${dialect.title} has no other servers`,
    found: hasAddresses ? 'neither "command" nor "url"' : 'no "command"',
    expected: hasAddresses ? 'one of the two' : 'a "command"',
    fix: hasAddresses
      ? 'add "command" for a server that is started, or "url" for one that is reached'
      : 'add "command", or define the server in another file',
  })
}

/** Where the field that filled a slot stands, under whatever name. */
function fieldPlace(entry: EntryReader, slot: 'url' | 'transport'): Place {
  const names =
    slot === 'url' ? ['url', 'serverUrl', 'baseUrl', 'httpUrl'] : ['type', 'transport', 'transportType']
  return fieldsOf(entry.place).find(({ key }) => names.includes(key)) ?? entry.place
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
