import type { DocumentFormat, Place, Report } from '../documents/config-document.ts'
import type { EntryReader } from '../fields/entry-reader.ts'
import type { FieldTable, Plain } from '../fields/field-rule.ts'
import type { InputSpec } from '../spec/input-spec.ts'
import type { Policy } from '../spec/policy.ts'
import type { SlotName, Slots } from '../spec/spec-fields.ts'
import type { SyntaxName } from '../variables/variable-syntaxes.ts'

export type Platform = 'darwin' | 'linux' | 'win32'

/** Where a host keeps its file. */
export interface DialectPlace {
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
export interface EntryPlace {
  readonly name: string
  readonly place: Place
}

export interface RootContext {
  readonly report: Report
  /** The folder for which a host keeps settings of its own in a file of the person. */
  readonly workspaceFolder: string | undefined
  readonly inputs: InputSpec[]
  /** Names that the document turns off, whichever file defines them. */
  readonly turnedOff: Set<string>
  /** The only names that the document leaves on among the servers of its host, whichever file defines them. */
  leftOn?: ReadonlySet<string>
}

/** How servers stand in a document, and what else in it is about them. */
export interface RootShape {
  /** Where the servers are, for people: `mcpServers`. */
  readonly key: string
  /** Whether a document has this shape at all. */
  fits(root: Place): boolean
  locate(root: Place, context: RootContext): readonly EntryPlace[]
  /** The names beside the servers that this dialect knows; `any` where a host keeps other settings in that file too. */
  readonly knownFields: readonly string[] | 'any' | ((file: string) => readonly string[] | 'any')
  /** Canonical fields that stand beside the servers, and under which name, for people. */
  readonly beside?: Partial<Readonly<Record<SlotName, string>>>
  /** What the rest of the document says about the servers. */
  apply?(root: Place, entries: readonly EntryReader[], context: RootContext): void
}

/** What is written, beside the entries themselves. */
export interface WriteInput {
  readonly entries: Readonly<Record<string, Plain>>
  readonly inputs: readonly InputSpec[]
  /** Servers that are turned off and whose entry could not say so. */
  readonly turnedOff: readonly string[]
  /** What `takeForRoot` returned, of all servers together. */
  readonly root: Readonly<Record<string, Readonly<Record<string, Plain>>>>
  readonly workspaceFolder: string | undefined
}

/** How a document of the dialect is put together. */
export interface WriteShape {
  readonly format: DocumentFormat
  /** The document, with entries in the order given. */
  document(input: WriteInput): Plain
  /** Takes slots that the document says elsewhere than in the entry, and returns what it says there. */
  readonly takeForRoot?: (
    server: string,
    slots: Slots,
  ) => Readonly<Record<string, Readonly<Record<string, Plain>>>>
}

/** One way of writing server definitions down: where it is found, how to read it, what its words mean, how to write it. */
export interface Dialect {
  readonly name: string
  /** The host's own name. */
  readonly title: string
  readonly format: DocumentFormat
  readonly places: readonly DialectPlace[]
  /** What the host does differently from the default. */
  readonly preset: Partial<Policy>
  readonly root: RootShape
  readonly fields: FieldTable
  /** How variables are written, by the canonical field whose text holds them. */
  readonly variables: Partial<Readonly<Record<SlotName | 'everything', SyntaxName | 'canonical'>>>
  /** What an address without a word about its transport means. */
  readonly addressMeans: 'http' | 'sse' | 'nothing'
  readonly write?: WriteShape
}
