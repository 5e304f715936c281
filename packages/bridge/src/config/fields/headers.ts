import { type Field, fieldOf } from '../documents/config-document.ts'
import type { JsonValue } from '../documents/json-value.ts'
import type { HeadersHelper } from '../spec/server-spec.ts'
import type { SpecFields } from '../spec/spec-fields.ts'
import { type EntryReader, quoted } from './entry-reader.ts'
import type { FieldRule } from './field-rule.ts'
import { readMap, readText, readTexts } from './read-values.ts'
import { take } from './take-field.ts'

const bearer = /^Bearer \$\{env:([^}:]+)\}$/
const variableName = /^[^${}:\s]+$/
const reference = /^\$\{env:([^}:]+)\}$/

/** Name of an environment variable that contains a bearer token. */
export const bearerTokenVariable: FieldRule = {
  specFields: ['headers'],
  outcome: 'translated',
  note: 'header Authorization with a reference to the variable',
  read: (field, entry) => {
    const name = readVariableName(field, entry)
    if (name !== undefined) setHeader(entry.specFields, 'Authorization', `Bearer \${env:${name}}`)
  },
  write: (specFields) => takeHeader(specFields, 'Authorization', bearer),
}

/** Headers whose values are names of environment variables. */
export const headersFromVariables: FieldRule = {
  specFields: ['headers'],
  outcome: 'translated',
  note: 'headers with references to the variables',
  read: (field, entry) => {
    const names = readMap(field, entry, 'inheritNames')
    for (const [header, name] of Object.entries(names ?? {}))
      if (variableName.test(name)) setHeader(entry.specFields, header, `\${env:${name}}`)
      else entry.invalid(field, `every value of ${quoted(field)}`, 'the name of an environment variable')
  },
  write: (specFields): JsonValue | undefined => {
    const names = Object.entries(specFields.headers ?? {}).flatMap(([header]) => {
      const name = takeHeader(specFields, header, reference)
      return name === undefined ? [] : [[header, name] as const]
    })
    return names.length === 0 ? undefined : Object.fromEntries(names)
  },
}

/** A bearer token, possibly with variables. */
export const bearerToken: FieldRule = {
  specFields: ['headers'],
  outcome: 'translated',
  note: 'header Authorization',
  read: (field, entry) => {
    const token = readText(field, entry, quoted(field))
    if (token !== undefined)
      setHeader(entry.specFields, 'Authorization', `Bearer ${entry.text(field, token, 'headers')}`)
  },
}

function setHeader(specFields: SpecFields, name: string, value: string): void {
  specFields.headers = { ...specFields.headers, [name]: value }
}

function takeHeader(specFields: SpecFields, name: string, pattern: RegExp): string | undefined {
  const { [name]: value, ...rest } = specFields.headers ?? {}
  const [, variable] = pattern.exec(value ?? '') ?? []
  if (variable === undefined) return undefined
  if (Object.keys(rest).length === 0) take(specFields, 'headers')
  else specFields.headers = rest
  return variable
}

/** A headers helper: a shell command, an array, or a command with arguments; `style` determines how it is written. */
export function headersHelper(style: 'line' | 'list' | 'object'): FieldRule {
  return {
    specFields: ['headersHelper'],
    note: 'runs only under local authority, and only if its entry is trusted',
    read: (field, entry) => {
      const helper = readHelper(field, entry)
      if (helper !== undefined) entry.specFields.headersHelper = helper
    },
    write: (specFields): JsonValue | undefined => {
      const helper = take(specFields, 'headersHelper')
      return helper === undefined ? undefined : writtenHelper(helper, style)
    },
  }
}

function writtenHelper({ command, args }: HeadersHelper, style: 'line' | 'list' | 'object'): JsonValue {
  if (style === 'object') return { command, args }
  if (style === 'list') return [command, ...args]
  const [option, line] = args
  const isLine = command === shell && option === '-c' && line !== undefined && args.length === 2
  return isLine ? line : [command, ...args].map(quotedForShell).join(' ')
}

const shell = 'sh'

function readHelper(field: Field, entry: EntryReader): HeadersHelper | undefined {
  if (field.node.type === 'array') {
    const [command, ...args] = (readTexts(field, entry, quoted(field)) ?? []).map(({ value }) => value)
    if (command === undefined || command === '') return entry.invalid(field, quoted(field), 'a command')
    return { command, args }
  }
  if (field.node.type === 'object') return readHelperObject(field, entry)
  const line = readText(field, entry, quoted(field))
  return line === undefined ? undefined : { command: shell, args: ['-c', line] }
}

function readHelperObject(field: Field, entry: EntryReader): HeadersHelper | undefined {
  const command = fieldOf(field, 'command')
  const args = fieldOf(field, 'args')
  if (command === undefined) return entry.invalid(field, quoted(field), 'an object with a "command"')
  const program = readText(command, entry, '"command"')
  const rest = args === undefined ? [] : (readTexts(args, entry, '"args"') ?? [])
  return program === undefined ? undefined : { command: program, args: rest.map(({ value }) => value) }
}

function quotedForShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

function readVariableName(field: Field, entry: EntryReader): string | undefined {
  const name = readText(field, entry, quoted(field))
  if (name === undefined || variableName.test(name)) return name
  return entry.invalid(field, quoted(field), 'the name of an environment variable')
}
