import type { FieldPosition } from '../read/state-positions.ts'
import type { ShadowedServer } from '../sources/merge-configs.ts'
import type {
  ApprovalSpec,
  ConfigScope,
  ServerSpec,
  SpecSource,
  SpecTimeouts,
  ToolFilter,
} from '../spec/server-spec.ts'

/**
 * Whether a server starts. `on`: it does. `off`: it is disabled. `untrusted`: it starts when a person trusts its entry.
 * `refused`: its entry cannot be used. `failing`: it is enabled and trusted, but cannot start.
 */
export type ServerState = 'on' | 'off' | 'untrusted' | 'refused' | 'failing'

/** Why a server does not start. */
export interface StateReason extends Partial<FieldPosition> {
  /** Stable identifier of the kind of reason, such as `disabled`, `untrusted` or the code of an issue. */
  readonly code: string
  /** A description in one sentence. */
  readonly message: string
  /** Path of the file that decides it. */
  readonly file: string
  /** How to change it. */
  readonly fix: string
}

/** The program of a server. */
export interface ProgramReport {
  /** The program as written. Defaults of variables are left out. */
  readonly command: string
  /** Path of the file that is started. Omitted if it is not found, or if its path contains a value that may be secret. */
  readonly path?: string
  /** Whether the file exists. Omitted if this process may not look. */
  readonly isFound?: boolean
  /** Number of arguments. */
  readonly argumentCount: number
}

/** The environment of a program, by the names of its variables. */
export interface EnvironmentReport {
  /** Which variables of this process are inherited. */
  readonly inherits: 'safe' | 'all' | 'none'
  /** Variables that are inherited by name in addition. */
  readonly inheritsNames: readonly string[]
  /** Inherited variables that are removed. */
  readonly removes: readonly string[]
  /** Variables that the entry sets. */
  readonly sets: readonly string[]
  /** Whether variables are read from a file too. */
  readonly hasFile: boolean
  /** The host of this format and the variables of the shell that it hands on, if Toolbridge hands on fewer. */
  readonly host?: { readonly title: string; readonly inherits: 'all' | 'all but secrets' }
}

/** The variables that a definition uses, by name. */
export interface VariableReport {
  /** Environment variables that are not set and have no default. */
  readonly missing: readonly string[]
  /** How a missing variable is treated: `empty` text, `keep` the reference as text, an `error`, or `drop` the value. */
  readonly missingBecomes: 'empty' | 'keep' | 'error' | 'drop'
  /** Inputs that a person is asked for. */
  readonly inputs: readonly string[]
  /** Secrets that are looked up in a store. */
  readonly secrets: readonly string[]
}

/** What a definition amounts to after variables, merging and lists of disabled servers and tools. */
export interface EffectiveDefinition {
  /** Transport of the server. */
  readonly transport: ServerSpec['transport']
  /** The program to start. Omitted for a server that is reached by URL. */
  readonly program?: ProgramReport
  /** Environment of the program. */
  readonly environment?: EnvironmentReport
  /** URL as written, without credentials, query and path segments that may be keys. */
  readonly url?: string
  /** Names of the headers that are sent. */
  readonly headers?: readonly string[]
  /** Whether a program prints further headers. It is not run for a report. */
  readonly hasHeadersHelper?: boolean
  /** Whether a person may have to sign in. */
  readonly maySignIn?: boolean
  /** Variables that the definition uses. */
  readonly variables: VariableReport
  /** Tools that are listed and callable. */
  readonly tools: ToolFilter & { readonly readOnly: boolean }
  /** Approval of calls. Omitted if only the permission rules decide. */
  readonly approval?: ApprovalSpec
  /** Timeouts in milliseconds. */
  readonly timeouts: Required<SpecTimeouts>
  /** `eager` starts the server with the bridge, `lazy` when it is first needed. */
  readonly start: 'eager' | 'lazy' | 'on-demand'
  /** How the running server is replaced when its definition changes. */
  readonly replace: 'start-first' | 'stop-first'
  /** Whether the bridge fails to open if the server fails to start. */
  readonly required: boolean
}

/** What becomes of one server. Contains names, but never values of variables, headers or arguments. */
export interface ServerReport extends Pick<SpecSource, 'file' | 'line' | 'column'> {
  /** Name of the server. */
  readonly name: string
  /** Whether it starts. */
  readonly state: ServerState
  /** Why it does not start. Empty if it does. */
  readonly reasons: readonly StateReason[]
  /** Source of the definition. */
  readonly scope: ConfigScope
  /** Name of the dialect of the file. */
  readonly dialect?: string
  /** Definitions of the same name that are not used. */
  readonly shadowed: readonly ShadowedServer[]
  /** What would run. Omitted if the entry is refused. */
  readonly definition?: EffectiveDefinition
}
