import type { DialectPolicy } from './dialects/dialect.ts'
import { type Field, type Finding, fieldsOf, type Place, type Report, repeatedFields } from './document.ts'
import { readFlag, readText, readTextList, readTextMap } from './entry-values.ts'
import { mayRestrict, widening, widens } from './restricting.ts'
import type { ServerSpec, SpecSource } from './spec.ts'

export interface EntryContext {
  readonly file: string
  readonly report: Report
}

interface Entry {
  readonly name: string
  readonly place: Place
  readonly fields: ReadonlyMap<string, Field>
  readonly report: Report
}

/** Reads one server's entry. Whatever is wrong is reported; the result counts only when no error was. */
export function readEntry(
  field: Field,
  policy: DialectPolicy,
  context: EntryContext,
): ServerSpec | undefined {
  const entry = openEntry(field, context.report)
  if (entry === undefined) return undefined
  reportUnreadFields(entry)
  const transport = transportOf(entry)
  const source = { file: context.file, pointer: field.pointer }
  switch (transport) {
    case 'stdio':
      return readStdio(entry, policy, source)
    case 'http':
      return readHttp(entry, source)
    case undefined:
      return undefined
  }
}

const stdioFields = ['command', 'args', 'env', 'cwd']
const httpFields = ['url', 'headers']
const commonFields = ['type', 'transport', 'disabled', 'enabled', 'required']
const knownFields: ReadonlySet<string> = new Set([...stdioFields, ...httpFields, ...commonFields])

function openEntry(field: Field, report: Report): Entry | undefined {
  const finding = { code: 'field_invalid', severity: 'error' } as const
  if (field.key.trim() === '') {
    report(field, { ...finding, message: 'a server has an empty name', fix: 'give it a name' })
    return undefined
  }
  if (field.node.type !== 'object') {
    report(field, {
      ...finding,
      message: `server "${field.key}" must be an object`,
      fix: 'write { "command": "…" }',
    })
    return undefined
  }
  const fields = fieldsOf(field)
  for (const repeated of repeatedFields(fields)) {
    report(repeated, {
      code: 'field_duplicate',
      severity: 'error',
      message: `server "${field.key}" has "${repeated.key}" twice`,
      fix: 'remove one of them',
    })
  }
  return { name: field.key, place: field, fields: new Map(fields.map((each) => [each.key, each])), report }
}

function reportUnreadFields({ name, fields, report }: Entry): void {
  for (const field of fields.values()) {
    if (!knownFields.has(field.key)) report(field, unread(name, field.key))
  }
}

function unread(server: string, key: string): Finding {
  if (widens(key)) return widening(`server "${server}"`, key)
  if (mayRestrict(key)) {
    return {
      code: 'field_restricts',
      severity: 'error',
      message: `server "${server}" has "${key}", which seems to narrow what it may do and is not understood, so it is not used`,
      fix: `remove "${key}", and use a permission rule or "disabled": true instead`,
    }
  }
  return {
    code: 'field_unknown',
    severity: 'warning',
    message: `server "${server}" has "${key}", which is not understood and was dropped`,
    fix: 'remove it, or check its spelling',
  }
}

function transportOf(entry: Entry): 'stdio' | 'http' | undefined {
  const implied = impliedTransport(entry)
  const named = ['type', 'transport'].flatMap((key) => entry.fields.get(key) ?? [])
  for (const field of named) {
    const transport = namedTransport(entry, field)
    if (transport === undefined || implied === undefined || transport === implied) continue
    entry.report(field, {
      code: 'transport_mismatch',
      severity: 'error',
      message: `server "${entry.name}" says "${field.key}": "${String(field.node.value)}" but is defined by "${implied === 'http' ? 'url' : 'command'}"`,
      fix: `remove "${field.key}", or define the server the way it says`,
    })
  }
  return implied
}

function impliedTransport({ name, place, fields, report }: Entry): 'stdio' | 'http' | undefined {
  const url = fields.get('url')
  if (url !== undefined && fields.has('command')) {
    report(url, {
      code: 'url_and_command',
      severity: 'error',
      message: `server "${name}" has both "url" and "command"`,
      fix: 'keep "url" for a server that is reached, or "command" for one that is started',
    })
    return undefined
  }
  if (url !== undefined) return 'http'
  if (fields.has('command')) return 'stdio'
  report(place, {
    code: 'field_missing',
    severity: 'error',
    message: `server "${name}" has neither "command" nor "url"`,
    fix: 'add "command" for a server that is started, or "url" for one that is reached',
  })
  return undefined
}

const transportWords: ReadonlyMap<unknown, 'stdio' | 'http'> = new Map([
  ['stdio', 'stdio'],
  ['http', 'http'],
  ['streamable-http', 'http'],
  ['streamableHttp', 'http'],
  ['streamable_http', 'http'],
])

function namedTransport(entry: Entry, field: Field): 'stdio' | 'http' | undefined {
  const transport = transportWords.get(field.node.value)
  if (transport === undefined) {
    entry.report(field, {
      code: 'transport_unknown',
      severity: 'error',
      message: `server "${entry.name}" has a "${field.key}" that is not known`,
      fix: 'use "stdio" or "http"',
    })
  }
  return transport
}

function readStdio(entry: Entry, policy: DialectPolicy, source: SpecSource): ServerSpec {
  reportUnused(entry, httpFields)
  const cwd = readText(entry, 'cwd')
  return {
    ...readCommons(entry, source),
    transport: 'stdio',
    command: readText(entry, 'command') ?? '',
    args: readTextList(entry, 'args'),
    env: readTextMap(entry, 'env', policy.envValues),
    ...(cwd === undefined ? {} : { cwd }),
  }
}

function readHttp(entry: Entry, source: SpecSource): ServerSpec {
  reportUnused(entry, stdioFields)
  return {
    ...readCommons(entry, source),
    transport: 'http',
    url: readText(entry, 'url') ?? '',
    headers: readTextMap(entry, 'headers', 'text'),
  }
}

function readCommons(
  entry: Entry,
  source: SpecSource,
): Pick<ServerSpec, 'name' | 'enabled' | 'required' | 'source'> {
  const disabled = readFlag(entry, 'disabled') ?? false
  const enabled = readFlag(entry, 'enabled') ?? true
  return {
    name: entry.name,
    enabled: enabled && !disabled,
    required: readFlag(entry, 'required') ?? false,
    source,
  }
}

function reportUnused({ name, fields, report }: Entry, keys: readonly string[]): void {
  for (const field of keys.flatMap((key) => fields.get(key) ?? [])) {
    report(field, {
      code: 'field_unused',
      severity: 'warning',
      message: `server "${name}" has "${field.key}", which means nothing for its transport and was dropped`,
      fix: 'remove it',
    })
  }
}
