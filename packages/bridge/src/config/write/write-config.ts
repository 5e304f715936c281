import { isDeepStrictEqual } from 'node:util'
import { isJsonObject } from '@toolbridge/client/internal'
import { dialectNamed, dialects } from '../dialects/all.ts'
import type { Dialect, WriteShape } from '../dialects/dialect.ts'
import type { JsonValue } from '../documents/json-value.ts'
import { printToml } from '../documents/print-toml.ts'
import { stringify } from '../documents/yaml-library.ts'
import { syntaxOf } from '../fields/entry-reader.ts'
import { EntryWriter } from '../fields/entry-writer.ts'
import { writeFields } from '../fields/values.ts'
import { readConfig } from '../read/read-config.ts'
import type { InputSpec } from '../spec/input-spec.ts'
import { defaultFacts, type HostFacts } from '../spec/host-facts.ts'
import { defaultPolicy, type Policy } from '../spec/policy.ts'
import type { ServerSpec } from '../spec/server-spec.ts'
import { type SpecFieldName, specFieldsOf } from '../spec/spec-fields.ts'
import { anchorReferences } from './anchor-references.ts'
import { findUnwritableFields, type UnwritableField, unsupportedBy } from './unwritable-fields.ts'

/** Options of `writeConfig`. */
export interface WriteConfigOptions {
  /** Name of the dialect to write; see `writtenDialects`. */
  readonly dialect: string
  /** The workspace folder, for hosts that keep settings per folder. Default: none. */
  readonly workspaceFolder?: string
  /** Platform whose variable syntax applies. Default: `process.platform`. */
  readonly platform?: string
  /**
   * Path of the file to write, for hosts whose files differ in what they can express, and for relative references.
   * Default: the dialect's file of a project.
   */
  readonly file?: string
}

/** A policy or a fact about the host that differs between the dialect of a definition and the dialect it was written in. */
export interface PolicyChange {
  /** Name of the policy or the fact. */
  readonly policy: keyof Policy | keyof HostFacts
  /** Value in the dialect of the definition. */
  readonly from: unknown
  /** Value in the dialect it was written in. */
  readonly to: unknown
}

/** The result of `writeConfig`. */
export interface ConfigWriting {
  /** The configuration. */
  readonly text: string
  /** Fields that the text does not express; found by reading it back. */
  readonly unwritableFields: readonly UnwritableField[]
  /** Policies in which the target host differs. */
  readonly policies: readonly PolicyChange[]
}

/**
 * Writes definitions in a dialect and reads the result back to find fields that it cannot express. A server that would
 * be allowed more than its definition says is left out. Throws a `TypeError` for a dialect that cannot be written.
 */
export function writeConfig(servers: readonly ServerSpec[], options: WriteConfigOptions): ConfigWriting {
  const dialect = dialectNamed(options.dialect)
  if (dialect?.write === undefined) {
    throw new TypeError(`"${options.dialect}" cannot be written; use one of ${writtenDialects().join(', ')}`)
  }
  const first = attempt(servers, dialect, dialect.write, options)
  const refused = new Set(
    first.unwritableFields.filter(({ outcome }) => outcome === 'refused').map(({ server }) => server),
  )
  const kept = servers.filter(({ name }) => !refused.has(name))
  const text = refused.size === 0 ? first.text : draft(kept, dialect, dialect.write, options).document.text()
  return { text, unwritableFields: first.unwritableFields, policies: policyChanges(servers, dialect) }
}

/** Returns the names of the dialects that can be written. */
export function writtenDialects(): readonly string[] {
  return dialects.filter(({ write }) => write !== undefined).map(({ name }) => name)
}

function attempt(
  servers: readonly ServerSpec[],
  dialect: Dialect,
  shape: WriteShape,
  options: WriteConfigOptions,
): Pick<ConfigWriting, 'text' | 'unwritableFields'> {
  const { document, anchored, impossible } = draft(servers, dialect, shape, options)
  const text = document.text()
  const { servers: readBack } = readConfig(text, { ...options, file: `written.${shape.format}` })
  const byName = new Map(readBack.map((spec) => [spec.name, spec]))
  const unwritableFields = anchored.flatMap(
    (spec) =>
      impossible.get(spec.name) ??
      findUnwritableFields(spec, byName.get(spec.name), dialect.title, document.reasons.get(spec.name)),
  )
  return { text, unwritableFields }
}

interface Draft {
  readonly document: DocumentWriter
  readonly anchored: readonly ServerSpec[]
  /** Why a server cannot be written at all, by name. */
  readonly impossible: ReadonlyMap<string, ReturnType<typeof unsupportedBy>>
}

function draft(
  servers: readonly ServerSpec[],
  dialect: Dialect,
  shape: WriteShape,
  options: WriteConfigOptions,
): Draft {
  const document = new DocumentWriter(dialect, shape, options)
  const anchored = servers.map((spec) =>
    anchorReferences(spec, { dialect: dialect.name, file: options.file }),
  )
  const impossible = new Map(anchored.map((spec) => [spec.name, unsupportedBy(dialect, spec)]))
  for (const spec of anchored) if (impossible.get(spec.name) === undefined) document.add(spec)
  return { document, anchored, impossible }
}

/** Builds a document. */
class DocumentWriter {
  /** Why a field could not be written, by server and field. */
  readonly reasons = new Map<string, Map<SpecFieldName, string>>()
  readonly #dialect: Dialect
  readonly #shape: WriteShape
  readonly #options: WriteConfigOptions
  readonly #entries: (readonly [string, JsonValue])[] = []
  readonly #inputs = new Map<string, InputSpec>()
  readonly #turnedOff: string[] = []
  readonly #root = new Map<string, Readonly<Record<string, JsonValue>>>()

  constructor(dialect: Dialect, shape: WriteShape, options: WriteConfigOptions) {
    this.#dialect = dialect
    this.#shape = shape
    this.#options = options
  }

  add(spec: ServerSpec): void {
    const specFields = specFieldsOf(spec)
    const root = this.#shape.takeForRoot?.(spec.name, specFields) ?? {}
    for (const [key, rules] of Object.entries(root)) this.#root.set(key, { ...this.#root.get(key), ...rules })
    this.#entries.push([spec.name, writeFields(this.#dialect.fields, specFields, this.#writerFor(spec.name))])
    if (specFields.enabled === false) this.#turnedOff.push(spec.name)
    for (const input of spec.inputs ?? []) this.#inputs.set(input.id, input)
  }

  #writerFor(server: string): EntryWriter {
    const platform = this.#options.platform ?? process.platform
    const reasons = new Map<SpecFieldName, string>()
    this.reasons.set(server, reasons)
    return new EntryWriter(
      (specField) => syntaxOf(this.#dialect.variables, specField, platform),
      (specField, reason) =>
        reasons.set(specField, reasons.has(specField) ? `${reasons.get(specField)}; ${reason}` : reason),
    )
  }

  text(): string {
    const document = this.#shape.document({
      entries: Object.fromEntries(this.#entries),
      inputs: [...this.#inputs.values()],
      turnedOff: this.#turnedOff,
      root: Object.fromEntries(this.#root),
      workspaceFolder: this.#options.workspaceFolder,
      file: this.#options.file,
    })
    switch (this.#shape.format) {
      case 'json':
        return `${JSON.stringify(document, undefined, 2)}\n`
      case 'yaml':
        return stringify(document, { lineWidth: 0 })
      case 'toml':
        return printToml(isTable(document) ? document : {})
    }
  }
}

function isTable(document: JsonValue): document is Readonly<Record<string, JsonValue>> {
  return isJsonObject(document)
}

/** Policies that differ between the sources of the definitions and the target dialect. */
function policyChanges(servers: readonly ServerSpec[], target: Dialect): readonly PolicyChange[] {
  const to = behaviourOf(target)
  const sources = [...new Set(servers.map((spec) => spec.dialect))].filter((name) => name !== target.name)
  return sources.flatMap((name) => {
    const from = behaviourOf(name === undefined ? undefined : dialectNamed(name))
    const changed = behaviours.filter((key) => !isDeepStrictEqual(from[key], to[key]))
    return changed.map((key) => ({ policy: key, from: from[key], to: to[key] }))
  })
}

type Behaviour = Policy & HostFacts

const usualBehaviour: Behaviour = { ...defaultPolicy, ...defaultFacts }
const behaviours = Object.keys(usualBehaviour).filter((key): key is keyof Behaviour => key in usualBehaviour)

function behaviourOf(dialect: Dialect | undefined): Behaviour {
  return { ...usualBehaviour, ...dialect?.preset, ...dialect?.facts }
}
