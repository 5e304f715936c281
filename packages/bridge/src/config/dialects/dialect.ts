import type {
  ConfigDocument,
  DocumentFormat,
  DocumentLocation,
  Report,
} from '../documents/config-document.ts'
import type { JsonValue } from '../documents/json-value.ts'
import type { DialectVariables, EntryReader } from '../fields/entry-reader.ts'
import type { FieldTable } from '../fields/field-rule.ts'
import type { InputSpec } from '../spec/input-spec.ts'
import type { HostFacts } from '../spec/host-facts.ts'
import type { Policy } from '../spec/policy.ts'
import type { ServerSpec } from '../spec/server-spec.ts'
import type { SpecFieldName, SpecFields } from '../spec/spec-fields.ts'

export type Platform = 'darwin' | 'linux' | 'win32'

/** A location of a host's configuration file. */
export interface ConfigLocation {
  /** `project`: relative to the workspace. `user`: of the user. `managed`: of the administrator. */
  readonly scope: 'project' | 'user' | 'managed'
  /** Default: all. */
  readonly platforms?: readonly Platform[]
  /** Uses forward slashes. `~` is the home folder, `%APPDATA%` the Windows folder, `*` any name. */
  readonly path: string
  /** The host also searches the parents of the workspace and uses the nearest file. */
  readonly isUpward?: true
  /** A variable that names the file, or the folder that replaces `replaces` in the path. Some hosts also read it from `.env`. */
  readonly variable?: { readonly name: string; readonly replaces?: string; readonly isInEnvFile?: true }
}

/** A server entry of a document. */
export interface LocatedEntry {
  readonly name: string
  readonly location: DocumentLocation
}

export interface RootContext {
  readonly report: Report
  readonly document: Pick<ConfigDocument, 'format' | 'positionOf'>
  /** The workspace folder, for hosts that keep settings per folder in the user's file. */
  readonly workspaceFolder: string | undefined
  readonly inputs: InputSpec[]
  /** Servers that the document disables, including servers of other files, and the field that does so. */
  readonly turnedOff: Map<string, DocumentLocation | undefined>
  /** Tools that the document denies, by server, including servers of other files. */
  readonly deniedTools: Map<string, string[]>
  /** If set, the only servers of this host that stay enabled, including servers of other files. */
  onlyEnabled?: { readonly names: ReadonlySet<string>; readonly list: DocumentLocation | undefined }
}

/** How servers are arranged in a document, and which other fields affect them. */
export interface RootShape {
  /** Key of the servers, as shown in messages: `mcpServers`. */
  readonly key: string
  /** Reports whether a document has this shape. */
  fits(root: DocumentLocation): boolean
  /** Finds the entries. Reports a value of the wrong type, so that no server is ignored silently. */
  locate(root: DocumentLocation, context: RootContext): readonly LocatedEntry[]
  /** Known fields at the top of the document beside `key`; `any` if the host keeps other settings in the file. */
  readonly knownFields: readonly string[] | 'any' | ((file: string) => readonly string[] | 'any')
  /** Canonical fields that are set outside of the servers, and their names there. */
  readonly beside?: Partial<Readonly<Record<SpecFieldName, string>>>
  /** Applies the rest of the document to the servers. */
  apply?(root: DocumentLocation, entries: readonly EntryReader[], context: RootContext): void
}

/** Input for writing a document. */
export interface WriteInput {
  readonly entries: Readonly<Record<string, JsonValue>>
  readonly inputs: readonly InputSpec[]
  /** Disabled servers. */
  readonly turnedOff: readonly string[]
  /** Merged results of `takeForRoot` for all servers. */
  readonly root: Readonly<Record<string, Readonly<Record<string, JsonValue>>>>
  readonly workspaceFolder: string | undefined
  /** Path of the file, if it is known. */
  readonly file: string | undefined
}

/** How a document of the dialect is written. */
export interface WriteShape {
  readonly format: DocumentFormat
  /** Builds the document, with entries in the given order. */
  document(input: WriteInput): JsonValue
  /** Removes the fields that are written outside of the entry and returns what to write there. */
  readonly takeForRoot?: (
    server: string,
    specFields: SpecFields,
  ) => Readonly<Record<string, Readonly<Record<string, JsonValue>>>>
}

/** A format of server definitions: its locations, how to read its fields, and how to write them. */
export interface Dialect {
  readonly name: string
  /** Name of the host, for messages. */
  readonly title: string
  readonly format: DocumentFormat
  readonly locations: readonly ConfigLocation[]
  /** The variables of the shell that the host hands on to programs, if Toolbridge hands on fewer. */
  readonly hostEnvironment?: 'all' | 'all but secrets'
  /** Policies of the host that differ from the default. */
  readonly preset: Partial<Policy>
  /** Facts about the host that differ from the default. */
  readonly facts: Partial<HostFacts>
  readonly root: RootShape
  readonly fields: FieldTable
  /** Variable syntax by canonical field. */
  readonly variables: DialectVariables
  /** Transport of a URL without an explicit transport. */
  readonly addressMeans: 'http' | 'sse' | 'nothing'
  /** Transports that the host supports; servers with another one are not written. Default: all. */
  readonly transports?: readonly ServerSpec['transport'][]
  /** Names that the host accepts. Default: all. */
  readonly names?: RegExp
  readonly write?: WriteShape
}
