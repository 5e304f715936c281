import type { Dialect, LocatedEntry } from '../dialects/dialect.ts'
import {
  type ConfigDocument,
  type DocumentLocation,
  type Finding,
  fieldsOf,
  type Report,
  repeatedFields,
} from '../documents/config-document.ts'
import { EntryReader, type Explain, kindOf, quoted } from '../fields/entry-reader.ts'
import type { FieldOutcome, FieldRule } from '../fields/field-rule.ts'
import { reportRepeated } from '../fields/read-values.ts'
import { ownValue } from '../fields/take-field.ts'
import { readUnknown } from '../fields/unknown-field.ts'
import type { ServerSpec, SpecSource } from '../spec/server-spec.ts'
import { remoteSpecFields, specFieldPaths, specFromFields, stdioSpecFields } from '../spec/spec-fields.ts'
import { transportOf } from './entry-transport.ts'

export interface EntryOptions {
  readonly dialect: Dialect
  readonly platform: string
  readonly report: Report
}

/** Reads the fields of a server entry. Problems are reported and recorded in the entry. */
export function readEntry({ name, location }: LocatedEntry, options: EntryOptions): EntryReader {
  const { dialect, platform, report } = options
  const entry = new EntryReader({ server: name, location, dialect, platform, report })
  const problem = problemOf(name, location)
  if (problem !== undefined) {
    entry.refuse(location, { code: 'field_invalid', ...problem })
    return entry
  }
  if (dialect.names?.test(name) === false) entry.refuse(location, invalidName(dialect.title))
  const fields = fieldsOf(location)
  for (const repeated of repeatedFields(fields)) reportRepeated(repeated, entry)
  for (const field of fields) {
    const rule = ownValue(dialect.fields, field.key)
    if (rule === undefined) readUnknown(field, entry, dialect.fields)
    else rule.read(field, entry)
  }
  return entry
}

/** Why a value is not a server entry. */
function problemOf(name: string, location: DocumentLocation): Omit<Finding, 'severity' | 'code'> | undefined {
  if (name.trim() === '')
    return { message: 'it has no name', found: 'no name', expected: 'a name', fix: 'give it a name' }
  if (location.node.type === 'object') return undefined
  const found = kindOf(location)
  const message = `a server must be an object, but is ${found}`
  return { message, found, expected: 'an object', fix: 'write { "command": "…" }' }
}

function invalidName(title: string): Omit<Finding, 'severity'> {
  return {
    code: 'name_invalid',
    message: `${title} does not accept this name, and does not start the server`,
    found: 'a name with other characters',
    expected: 'letters, digits, hyphens and underscores',
    fix: 'rename the server',
  }
}

/** Explains the outcome of each field of an entry, and of nested values with a separate outcome. */
export function explainEntry(
  { server, location, outcomes }: EntryReader,
  { fields }: Dialect,
  { positionOf }: Pick<ConfigDocument, 'positionOf'>,
  explain: Explain,
): void {
  for (const field of fieldsOf(location).filter(({ pointer }) => !outcomes.has(pointer))) {
    const rule = ownValue(fields, field.key)
    explain(server, field, positionOf(field), { outcome: outcomeOf(field.key, rule), reason: reasonOf(rule) })
  }
  for (const { location: at, outcome, reason } of outcomes.values())
    explain(server, at, positionOf(at), { outcome, reason })
}

/** The outcome of a field if reading it recorded none. */
export function outcomeOf(key: string, rule: FieldRule | undefined): FieldOutcome {
  if (rule?.outcome !== undefined) return rule.outcome
  const [specField] = rule?.specFields ?? []
  if (specField === undefined) return 'dropped'
  const isGroup =
    rule?.inner !== undefined && rule.specFields.every((each) => specFieldPaths[each].startsWith(`${key}.`))
  const isSameName =
    isGroup ||
    key === specFieldPaths[specField] ||
    (rule?.specFields.length === 1 && specField === 'transport' && key === 'type')
  return isSameName ? 'kept' : 'translated'
}

function reasonOf(rule: FieldRule | undefined): string {
  const into = (rule?.specFields ?? []).map((specField) => specFieldPaths[specField]).join(', ')
  return [into, rule?.note ?? ''].filter((part) => part !== '').join(': ')
}

/** Builds the definition of an entry, or returns undefined if the entry is refused. */
export function finishEntry(
  entry: EntryReader,
  dialect: Dialect,
  source: SpecSource,
): ServerSpec | undefined {
  const transport = entry.location.node.type === 'object' ? transportOf(entry, dialect) : undefined
  if (transport === undefined || entry.isRefused) return undefined
  reportUnused(entry, dialect, transport)
  const frame = { name: entry.server, source, dialect: dialect.name }
  const { preset } = dialect
  return specFromFields(
    entry.specFields,
    transport,
    Object.keys(preset).length === 0 ? frame : { ...frame, preset },
  )
}

function reportUnused(entry: EntryReader, dialect: Dialect, transport: ServerSpec['transport']): void {
  const unused = new Set(transport === 'stdio' ? remoteSpecFields : stdioSpecFields)
  for (const field of fieldsOf(entry.location)) {
    const rule = ownValue(dialect.fields, field.key)
    const isUnused =
      rule !== undefined &&
      rule.specFields.length > 0 &&
      rule.specFields.every((specField) => unused.has(specField))
    const isOther = isUnused && !['command', 'url', 'serverUrl', 'httpUrl', 'baseUrl'].includes(field.key)
    if (isOther)
      entry.drop(field, {
        code: 'field_unused',
        message: `${quoted(field)} does not apply to its transport and was ignored`,
        fix: 'remove it',
      })
  }
}
