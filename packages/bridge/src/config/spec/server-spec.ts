import type { InputSpec } from './input-spec.ts'
import type { Policy } from './policy.ts'

/** By what way a definition came in. A project's file may come with a checked-out repository, so its entries need trust. */
export type SourceKind = 'flag' | 'context' | 'environment' | 'project' | 'user' | 'code' | 'stored'

/** Sources of definitions, in order of precedence. */
export type ConfigScope = 'flag' | 'context' | 'environment' | 'project' | 'user'

/** Where a server definition was written, so that every message can point at it. */
export interface SpecSource {
  /** The file's path, or a word for what is not a file: `stored settings`, `code`, `execution context`. */
  readonly file: string
  /** JSON pointer of the entry inside that document. */
  readonly pointer: string
  /** Where the entry stands in the text, counted from 1. */
  readonly line?: number
  readonly column?: number
  readonly kind?: SourceKind
}

/** What is to be done about a call: `writes` asks unless the tool is annotated read-only. */
export type ToolApproval = 'allow' | 'ask' | 'writes' | 'deny'

/** How long a server may take; always milliseconds, whatever unit the dialect counts in. */
export interface SpecTimeouts {
  readonly startMs?: number
  readonly callMs?: number
}

/** Globs (`*`) over the server's own tool names. What is denied stays denied, also when it is allowed. */
export interface ToolFilter {
  /** When given, only these tools exist. */
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
}

/** When a person is asked before a call. */
export interface ApprovalSpec {
  readonly default?: ToolApproval
  /** By the server's own names, or globs (`*`) over them: a name goes before globs, and of those the strictest holds. */
  readonly tools?: Readonly<Record<string, ToolApproval>>
}

interface ServerSpecCommons {
  readonly name: string
  readonly enabled: boolean
  /** A required server that fails to start fails the whole bridge. */
  readonly required: boolean
  readonly source: SpecSource
  /** Name of the dialect it was written in. */
  readonly dialect?: string
  /** Only tools that are annotated read-only may be called. */
  readonly readOnly?: boolean
  readonly timeouts?: SpecTimeouts
  readonly tools?: ToolFilter
  readonly approval?: ApprovalSpec
  readonly start?: 'eager' | 'lazy'
  /** How to ask for what `${input:…}` names. */
  readonly inputs?: readonly InputSpec[]
  /** What the dialect does differently from the default. */
  readonly policy?: Partial<Policy>
}

export interface StdioServerSpec extends ServerSpecCommons {
  readonly transport: 'stdio'
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
  /** A file of lines `NAME=value`; what `env` says goes before it. */
  readonly envFile?: string
  /** What the server gets of the environment of this process: what a program needs, all of it, or nothing. */
  readonly inheritEnv?: 'safe' | 'all' | 'none'
  /** Variables that are handed on by name, beside what `inheritEnv` says. */
  readonly inheritNames?: readonly string[]
  /** Variables that are taken out of what is inherited. */
  readonly unsetEnv?: readonly string[]
}

/** A program that prints headers; it runs with the rights of whoever starts the bridge. */
export interface HeadersHelper {
  readonly command: string
  readonly args: readonly string[]
}

/** How to obtain authorization, as far as the definition says. Secrets are references or kept sealed. */
export interface AuthSpec {
  /** `none` switches authorization off. */
  readonly kind?: 'oauth' | 'none'
  readonly clientId?: string
  readonly clientSecret?: string
  readonly scopes?: readonly string[]
  readonly callbackPort?: number
  readonly redirectUri?: string
  readonly resource?: string
  /** Address of the authorization server's metadata document. */
  readonly metadataUrl?: string
  readonly authorizationUrl?: string
  readonly tokenUrl?: string
}

export interface HttpServerSpec extends ServerSpecCommons {
  /** `http` is Streamable HTTP, with the older `sse` as what it falls back to. */
  readonly transport: 'http' | 'sse' | 'ws'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly headersHelper?: HeadersHelper
  readonly auth?: AuthSpec
}

/** A server as its author wrote it: variables are still references. `resolveSpec` makes it startable. */
export type ServerSpec = StdioServerSpec | HttpServerSpec

declare const resolved: unique symbol

/** A spec whose variables were replaced: it holds secrets in clear, lives for one start and is never stored or logged. */
export type ResolvedSpec = ServerSpec & {
  readonly [resolved]: true
  /** What was put in place of variables and is nobody else's business, for redaction. */
  readonly sensitiveValues?: readonly string[]
}

/**
 * What a definition may draw on. `local`: the person at this machine, who may use its environment and files.
 * `session`: a platform's user, whose definitions may use neither.
 */
export type Authority =
  | {
      readonly kind: 'local'
      readonly env: Readonly<Record<string, string | undefined>>
      readonly workspaceFolder: string
    }
  | { readonly kind: 'session' }
