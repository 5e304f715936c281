import type { InputSpec } from './input-spec.ts'
import type { Policy } from './policy.ts'
import type { RemoteTransport } from './remote-transports.ts'

/** How a definition was provided. Entries of `project` files may come with a cloned repository, so they need trust. */
export type SourceKind = 'flag' | 'context' | 'environment' | 'project' | 'user' | 'code' | 'stored'

/** Sources of definitions, in order of precedence. */
export type ConfigScope = 'flag' | 'context' | 'environment' | 'project' | 'user'

/** Where a server definition was written. */
export interface SpecSource {
  /** Path of the file, or a name for other sources: `stored settings`, `code`, `execution context`. */
  readonly file: string
  /** JSON pointer of the entry in the document. */
  readonly pointer: string
  /** Line of the entry, starting at 1. */
  readonly line?: number
  /** Column of the entry, starting at 1. */
  readonly column?: number
  /** How the definition was provided. Only `project` entries need trust. */
  readonly kind?: SourceKind
}

/** The decision about a call. `writes` asks unless the tool is annotated as read-only. */
export type ToolApproval = 'allow' | 'ask' | 'writes' | 'deny'

/** Timeouts of a server, in milliseconds. */
export interface SpecTimeouts {
  /** Timeout for starting and initializing. Default: `startTimeoutMs` of the bridge. */
  readonly startMs?: number
  /** Timeout per call. Default: `callTimeoutMs` of the bridge. */
  readonly callMs?: number
}

/** Tool filter: globs (`*`) over raw tool names. `deny` takes precedence over `allow`. */
export interface ToolFilter {
  /** The only tools that are listed and callable. Default: all. */
  readonly allow?: readonly string[]
  /** Tools that are neither listed nor callable. Default: none. */
  readonly deny?: readonly string[]
}

/** Approval of calls. */
export interface ApprovalSpec {
  /** Applies to tools that `tools` does not match. Default: the permission rules decide. */
  readonly default?: ToolApproval
  /** By raw tool name or glob (`*`). A name takes precedence over globs; of several globs the strictest applies. */
  readonly tools?: Readonly<Record<string, ToolApproval>>
}

interface ServerSpecCommons {
  /** Name of the server; the prefix of its public tool names. */
  readonly name: string
  /** Whether the server is started. */
  readonly enabled: boolean
  /** Whether the bridge fails to open if the server fails to start. */
  readonly required: boolean
  /** Where the definition was written. */
  readonly source: SpecSource
  /** Name of the dialect the definition was written in. */
  readonly dialect?: string
  /** Whether only tools that are annotated as read-only are listed and callable. Default: false. */
  readonly readOnly?: boolean
  /** Timeouts of the server. */
  readonly timeouts?: SpecTimeouts
  /** Calls in flight at once; further calls wait. Default: `maxConcurrency` of the bridge. */
  readonly maxConcurrency?: number
  /** Tools that are listed and callable. Default: all. */
  readonly tools?: ToolFilter
  /** Approval of calls. Default: the permission rules decide. */
  readonly approval?: ApprovalSpec
  /**
   * `eager` starts the server with the bridge, `lazy` when it is first needed, `on-demand` only by `Bridge.retry` or `restart`.
   * Default: the `start` policy (`eager`).
   */
  readonly start?: 'eager' | 'lazy' | 'on-demand'
  /**
   * How a running server is replaced when its definition changes. `start-first` starts the new one beside it. `stop-first`
   * stops it first, for servers with a port or a lock file that only one process can have. Default: the `replace` policy
   * (`start-first`).
   */
  readonly replace?: 'start-first' | 'stop-first'
  /** Declarations of the `${input:…}` variables that the definition uses. */
  readonly inputs?: readonly InputSpec[]
  /** Policies of the dialect that differ from the default. `policy` of the bridge overrides them. */
  readonly preset?: Partial<Policy>
  /** Policies of this server. They override those of the bridge. Default: none. */
  readonly policy?: Partial<Policy>
}

/** A server that is started as a program and reached over its standard streams. */
export interface StdioServerSpec extends ServerSpecCommons {
  /** Transport of the server. */
  readonly transport: 'stdio'
  /** The program to start. */
  readonly command: string
  /** Arguments of the program. */
  readonly args: readonly string[]
  /** Environment variables of the program. */
  readonly env: Readonly<Record<string, string>>
  /** Working directory. Default: the base folder of the `paths.base` policy. */
  readonly cwd?: string
  /** A file of `NAME=value` lines. `env` takes precedence. */
  readonly envFile?: string
  /** Which environment variables the program inherits from this process. Default: the `env.inherit` policy (`safe`). */
  readonly inheritEnv?: 'safe' | 'all' | 'none'
  /** Variables to inherit by name, in addition to those of `inheritEnv`. */
  readonly inheritNames?: readonly string[]
  /** Inherited variables to remove. */
  readonly unsetEnv?: readonly string[]
}

/** A program that prints HTTP headers as a JSON object. It runs as the user of this process. */
export interface HeadersHelper {
  /** The program to run. */
  readonly command: string
  /** Arguments of the program. */
  readonly args: readonly string[]
}

/** OAuth settings of a server. Fields that are not set are discovered. */
export interface AuthSpec {
  /** `none` disables authorization. Default: `oauth`. */
  readonly kind?: 'oauth' | 'none'
  /** Client ID of a registered client. Default: the client registers itself. */
  readonly clientId?: string
  /** Client secret; usually a variable. */
  readonly clientSecret?: string
  /** Scopes to request. Default: those that the server announces. */
  readonly scopes?: readonly string[]
  /** Port of the local redirect URI. */
  readonly callbackPort?: number
  /** Redirect URI of the client. */
  readonly redirectUri?: string
  /** Resource indicator (RFC 8707). */
  readonly resource?: string
  /** URL of the metadata document of the authorization server. */
  readonly metadataUrl?: string
  /** URL of the authorization endpoint. */
  readonly authorizationUrl?: string
  /** URL of the token endpoint. */
  readonly tokenUrl?: string
}

/** A server that is reached by URL. */
export interface HttpServerSpec extends ServerSpecCommons {
  /** `http` is Streamable HTTP and falls back to `sse`. */
  readonly transport: RemoteTransport
  /** URL of the MCP endpoint. */
  readonly url: string
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>
  /** A program that prints further headers. */
  readonly headersHelper?: HeadersHelper
  /** OAuth settings. Default: discovered when the server requires authorization. */
  readonly auth?: AuthSpec
}

/** A server definition as written: variables are not replaced yet. See `resolveSpec`. */
export type ServerSpec = StdioServerSpec | HttpServerSpec

declare const resolved: unique symbol

/** A server definition with variables replaced. Contains plaintext secrets; never store or log it. */
export type ResolvedSpec = ServerSpec & {
  readonly [resolved]: true
  /** Values of variables that may be secrets. Used for redaction. */
  readonly sensitiveValues?: readonly string[]
}

/**
 * What the variables of a definition may use. `local`: the environment and files of this machine. `session`: neither,
 * for users of a platform.
 */
export type Authority =
  | {
      readonly kind: 'local'
      readonly env: Readonly<Record<string, string | undefined>>
      readonly workspaceFolder: string
    }
  | { readonly kind: 'session' }
