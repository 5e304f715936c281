import { isDeepStrictEqual } from 'node:util'
import { ConfigError } from '../../errors.ts'
import { dialectNamed, dialects } from '../dialects/all.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { type ConfigDocument, parseDocument } from '../documents/config-document.ts'
import { changeDocument, type DocumentChange } from '../documents/edit-document.ts'
import type { JsonValue } from '../documents/json-value.ts'
import type { DocumentPath } from '../documents/node.ts'
import { dialectField, isConfigLocation, unknownDialect } from '../read/choose-dialect.ts'
import {
  type ConfigReading,
  openDocument,
  type OpenedDocument,
  parseAny,
  type ReadConfigOptions,
  readConfig,
  readOpened,
} from '../read/read-config.ts'
import type { Issue } from '../spec/issue.ts'
import { findLostRestrictions } from '../spec/lost-restrictions.ts'
import type { ServerSpec } from '../spec/server-spec.ts'
import { remoteSpecFields, specFieldsOf, stdioSpecFields } from '../spec/spec-fields.ts'
import type { UnwritableField } from '../write/unwritable-fields.ts'
import { writeConfig } from '../write/write-config.ts'
import {
  cannotSwitch,
  readOnlyDialect,
  refusal,
  serverExists,
  unknownServer,
  unsafe,
  unwritableFieldIssue,
} from './edit-refusals.ts'
import { enabledChanges } from './enabled-changes.ts'
import { additions, entryIn, isReadAt, newEntryIn } from './entry-changes.ts'

/** A change of one server in a configuration. */
export type ConfigChange =
  /** Adds a server. The name must not exist. */
  | { readonly kind: 'add'; readonly server: ServerSpec }
  /** Replaces a server, or adds it. */
  | { readonly kind: 'replace'; readonly server: ServerSpec }
  /** Removes a server. */
  | { readonly kind: 'remove'; readonly name: string }
  /** Enables or disables a server. */
  | { readonly kind: 'enable' | 'disable'; readonly name: string }
  /** Sets a field, named as in the file, or removes it if there is no value. */
  | {
      readonly kind: 'set'
      readonly name: string
      readonly field: readonly string[]
      readonly value?: JsonValue
    }

/** The result of `editConfig`. */
export interface ConfigEdit {
  /** The changed text. */
  readonly text: string
  /** Fields of an added or replaced server that the dialect of the file cannot express. */
  readonly unwritableFields: readonly UnwritableField[]
}

/**
 * Changes one server in a configuration text. Comments, order, indentation, line endings and a byte order mark are
 * preserved. The result is read back; a change with any other effect is refused. Throws a `ConfigError` if the change is
 * refused or the text cannot be read.
 */
export function editConfig(text: string, change: ConfigChange, options: ReadConfigOptions): ConfigEdit {
  switch (change.kind) {
    case 'add':
    case 'replace':
      return write(text, change, options)
    case 'remove':
      return { text: remove(text, change.name, options), unwritableFields: [] }
    case 'enable':
    case 'disable':
      return { text: turn(text, change.name, change.kind === 'enable', options), unwritableFields: [] }
    case 'set':
      return { text: setField(text, change, options), unwritableFields: [] }
  }
}

interface Opened extends OpenedDocument {
  readonly reading: ConfigReading
}

function opened(text: string, options: ReadConfigOptions): Opened {
  const found = openDocument(text, options)
  if (!('dialect' in found)) throw ConfigError.of([found])
  return { ...found, reading: readOpened(found, options) }
}

function write(
  text: string,
  { kind, server }: ConfigChange & { readonly kind: 'add' | 'replace' },
  options: ReadConfigOptions,
): ConfigEdit {
  const found = openDocument(text, options)
  const dialect = dialectFor(text, found, options)
  const settings = { ...options, dialect: dialect.name }
  const written = writtenAlone(server, settings)
  if (text.replace('\uFEFF', '').trim() === '') {
    requireSpec(readConfig(written.text, options), written.servers[0], options)
    return { text: written.text, unwritableFields: written.unwritableFields }
  }
  const isParsed = 'dialect' in found && found.document.format === dialect.format
  const document = isParsed ? found.document : parseDocument(text, options.file, dialect.format)
  if (!('root' in document)) throw ConfigError.of([document])
  const entry = entryIn(document, dialect, server.name, options)
  const before = readOpened(found, options)
  const isDefined = entry !== undefined || before.servers.some(({ name }) => name === server.name)
  if (isDefined && kind === 'add') throw refusal(options.file, serverExists(server.name))
  const changes = additions(document, written.document, {
    entry: entry ?? newEntryIn(document, dialect, server.name, { ...options, inWritten: written.entry }),
    inWritten: written.entry,
  })
  if (!changes.every((change) => isReadAt(change, dialect, options.file)))
    throw refusal(options.file, unsafe(server.name))
  const changed = applied(text, document, changes, server.name)
  const intended = written.servers.find(({ name }) => name === server.name)
  const after = readConfig(changed, options)
  requireSameOthers(before, after, server.name, options)
  requireSpec(after, intended, options)
  return { text: changed, unwritableFields: written.unwritableFields }
}

/** The dialect of a document without servers: by location, else by format, else Toolbridge's own. */
function dialectFor(text: string, found: OpenedDocument | Issue, options: ReadConfigOptions): Dialect {
  if ('dialect' in found) return found.dialect
  const isEmpty = text.replace('\uFEFF', '').trim() === ''
  if (found.code !== 'root_missing' && !isEmpty) throw ConfigError.of([found])
  const byLocation = dialects.find(({ locations }) =>
    locations.some((location) => isConfigLocation(options.file, location)),
  )
  const named = options.dialect ?? dialectIn(text, options)
  const dialect = named === undefined ? byLocation : dialectNamed(named)
  if (named !== undefined && dialect === undefined) throw refusal(options.file, unknownDialect(named))
  return dialect ?? dialectNamed(isToml(options.file) ? 'codex' : 'mcp-servers') ?? missingDialect()
}

/** The dialect that a document without servers names itself. */
function dialectIn(text: string, options: ReadConfigOptions): string | undefined {
  const document = parseAny(text, options)
  return 'root' in document ? dialectField(document.root, options.file)?.name : undefined
}

/** Codex is the only TOML dialect that is written. */
function isToml(file: string): boolean {
  return file.toLowerCase().endsWith('.toml')
}

function missingDialect(): never {
  throw new TypeError('missing dialect: mcp-servers')
}

interface WrittenAlone {
  readonly text: string
  readonly document: ConfigDocument
  readonly entry: DocumentPath
  readonly servers: readonly ServerSpec[]
  readonly unwritableFields: readonly UnwritableField[]
}

/** Writes a document that contains only this server. */
function writtenAlone(
  server: ServerSpec,
  options: ReadConfigOptions & { readonly dialect: string },
): WrittenAlone {
  const dialect = dialectNamed(options.dialect)
  if (dialect?.write === undefined)
    throw refusal(options.file, readOnlyDialect(dialect?.title ?? options.dialect))
  const { text, unwritableFields } = writeConfig([server], options)
  const refused = unwritableFields.filter(({ outcome }) => outcome === 'refused')
  if (refused.length > 0)
    throw ConfigError.of(refused.map((field) => unwritableFieldIssue(options.file, field)))
  const document = parseDocument(text, options.file, dialect.write.format)
  const entry = 'root' in document ? entryIn(document, dialect, server.name, options) : undefined
  if (!('root' in document) || entry === undefined) throw refusal(options.file, unsafe(server.name))
  return { text, document, entry, servers: readConfig(text, options).servers, unwritableFields }
}

function remove(text: string, name: string, options: ReadConfigOptions): string {
  const { document, dialect, reading } = opened(text, options)
  const entry = entryIn(document, dialect, name, options)
  if (entry === undefined) throw refusal(options.file, unknownServer(name, reading))
  const changed = applied(text, document, [{ path: entry }], name)
  requireSameOthers(reading, readConfig(changed, options), name, options)
  return changed
}

/** Tries the alternatives until one is read back as intended. */
function turn(text: string, name: string, isOn: boolean, options: ReadConfigOptions): string {
  const { document, dialect, reading } = opened(text, options)
  const spec = reading.servers.find((each) => each.name === name)
  const entry = entryIn(document, dialect, name, options)
  if (spec === undefined || entry === undefined) throw refusal(options.file, unknownServer(name, reading))
  if (spec.enabled === isOn) return text
  const intended = { ...spec, enabled: isOn }
  for (const changes of enabledChanges({ document, dialect, spec: intended, entry, options })) {
    const isRead = changes.every((change) => isReadAt(change, dialect, options.file))
    const changed = isRead ? changeDocument(text, document, changes) : undefined
    if (changed === undefined) continue
    const after = readConfig(changed, options)
    if (!says(after, intended)) continue
    requireSameOthers(reading, after, name, options)
    return changed
  }
  throw refusal(options.file, cannotSwitch(name, dialect.title, isOn))
}

function setField(
  text: string,
  { name, field, value }: ConfigChange & { readonly kind: 'set' },
  options: ReadConfigOptions,
): string {
  const { document, dialect, reading } = opened(text, options)
  const entry = entryIn(document, dialect, name, options)
  if (entry === undefined || field.length === 0) throw refusal(options.file, unknownServer(name, reading))
  const path = [...entry, ...field]
  const changed = applied(text, document, [value === undefined ? { path } : { path, value }], name)
  const after = readConfig(changed, options)
  requireSameOthers(reading, after, name, options)
  const errors = after.issues.filter(({ severity }) => severity === 'error')
  if (!after.servers.some((each) => each.name === name)) throw ConfigError.of(errors)
  return changed
}

function applied(
  text: string,
  document: ConfigDocument,
  changes: readonly DocumentChange[],
  name: string,
): string {
  const changed = changeDocument(text, document, changes)
  if (changed === undefined) throw refusal(document.file, unsafe(name))
  return changed
}

/** Throws if other servers changed. */
function requireSameOthers(
  before: ConfigReading,
  after: ConfigReading,
  name: string,
  options: ReadConfigOptions,
): void {
  if (!isDeepStrictEqual(othersOf(before, name), othersOf(after, name)))
    throw refusal(options.file, unsafe(name))
}

function othersOf({ servers, refused = [] }: ConfigReading, name: string): object {
  return {
    servers: new Map(
      servers.filter((spec) => spec.name !== name).map((spec) => [spec.name, withoutSource(spec)]),
    ),
    refused: refused.filter((each) => each !== name),
  }
}

function withoutSource({ source: _source, ...spec }: ServerSpec): object {
  return spec
}

/** Document-wide settings may restrict a new server, but must not widen its access or change what it starts. */
function requireSpec(
  { servers }: ConfigReading,
  intended: ServerSpec | undefined,
  options: ReadConfigOptions,
): void {
  const found = servers.find(({ name }) => name === intended?.name)
  const isMeant =
    found !== undefined &&
    intended !== undefined &&
    isDeepStrictEqual(identityOf(found), identityOf(intended)) &&
    findLostRestrictions(intended, found).length === 0
  if (!isMeant) throw refusal(options.file, unsafe(intended?.name ?? ''))
}

function identityOf(spec: ServerSpec): object {
  const specFields = specFieldsOf(spec)
  const keys = [
    'transport',
    'enabled',
    'required',
    'inputs',
    ...stdioSpecFields,
    ...remoteSpecFields,
  ] as const
  return keys.map((key) => specFields[key])
}

function says({ servers }: ConfigReading, intended: ServerSpec): boolean {
  const found = servers.find(({ name }) => name === intended.name)
  return found !== undefined && isDeepStrictEqual(withoutSource(found), withoutSource(intended))
}
