import type { DocumentFormat, DocumentLocation, Report } from '../documents/config-document.ts'
import type { JsonValue } from '../documents/json-value.ts'
import type { DialectVariables, EntryReader } from '../fields/entry-reader.ts'
import type { FieldTable } from '../fields/field-rule.ts'
import type { InputSpec } from '../spec/input-spec.ts'
import type { Policy } from '../spec/policy.ts'
import type { SpecFieldName, SpecFields } from '../spec/spec-fields.ts'

export type Platform = 'darwin' | 'linux' | 'win32'

/** Where a host keeps its file. */
export interface ConfigLocation {
  /** `project`: relative to the workspace. `user`: of the person. `managed`: of whoever runs the machine. */
  readonly scope: 'project' | 'user' | 'managed'
  /** All of them unless told. */
  readonly platforms?: readonly Platform[]
  /** Forward slashes; `~` is the home folder, `%APPDATA%` that folder of Windows, `*` any name. */
  readonly path: string
  /** The host also looks in the folders around the workspace; the nearest file is meant. */
  readonly isUpward?: true
  /** A variable that names the file, or the folder that it `replaces` in the path; some hosts also read it from `.env`. */
  readonly variable?: { readonly name: string; readonly replaces?: string; readonly isInEnvFile?: true }
}

/** One entry of a document, before it is read. */
export interface LocatedEntry {
  readonly name: string
  readonly location: DocumentLocation
}

export interface RootContext {
  readonly report: Report
  /** The folder for which a host keeps settings of its own in a file of the person. */
  readonly workspaceFolder: string | undefined
  readonly inputs: InputSpec[]
  /** Names that the document turns off, whichever file defines them. */
  readonly turnedOff: Set<string>
  /** The only names that the document leaves on among the servers of its host, whichever file defines them. */
  onlyEnabled?: ReadonlySet<string>
}

/** How servers stand in a document, and what else in it is about them. */
export interface RootShape {
  /** Where the servers are, for people: `mcpServers`. */
  readonly key: string
  /** Whether a document has this shape at all. */
  fits(root: DocumentLocation): boolean
  locate(root: DocumentLocation, context: RootContext): readonly LocatedEntry[]
  /** The names beside the servers that this dialect knows; `any` where a host keeps other settings in that file too. */
  readonly knownFields: readonly string[] | 'any' | ((file: string) => readonly string[] | 'any')
  /** Canonical fields that stand beside the servers, and under which name, for people. */
  readonly beside?: Partial<Readonly<Record<SpecFieldName, string>>>
  /** What the rest of the document says about the servers. */
  apply?(root: DocumentLocation, entries: readonly EntryReader[], context: RootContext): void
}

/** What is written, beside the entries themselves. */
export interface WriteInput {
  readonly entries: Readonly<Record<string, JsonValue>>
  readonly inputs: readonly InputSpec[]
  /** Servers that are turned off and whose entry could not say so. */
  readonly turnedOff: readonly string[]
  /** What `takeForRoot` returned, of all servers together. */
  readonly root: Readonly<Record<string, Readonly<Record<string, JsonValue>>>>
  readonly workspaceFolder: string | undefined
}

/** How a document of the dialect is put together. */
export interface WriteShape {
  readonly format: DocumentFormat
  /** The document, with entries in the order given. */
  document(input: WriteInput): JsonValue
  /** Takes slots that the document says elsewhere than in the entry, and returns what it says there. */
  readonly takeForRoot?: (
    server: string,
    specFields: SpecFields,
  ) => Readonly<Record<string, Readonly<Record<string, JsonValue>>>>
}

/** One way of writing server definitions down: where it is found, how to read it, what its words mean, how to write it. */
export interface Dialect {
  readonly name: string
  /** The host's own name. */
  readonly title: string
  readonly format: DocumentFormat
  readonly locations: readonly ConfigLocation[]
  /** What the host does differently from the default. */
  readonly preset: Partial<Policy>
  readonly root: RootShape
  readonly fields: FieldTable
  /** How variables are written, by the canonical field whose text holds them. */
  readonly variables: DialectVariables
  /** What an address without a word about its transport means. */
  readonly addressMeans: 'http' | 'sse' | 'nothing'
  readonly write?: WriteShape
}
