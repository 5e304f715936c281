import { z } from 'zod'
import type { ServerEntry } from './config.ts'
import type { DefinitionReport } from './servers.ts'

/** Body of `POST /api/explain`. */
export interface ExplainRequest {
  /**
   * A configuration in any dialect, one entry of it, a URL, a command, or that of a host such as `claude mcp add …`. At most
   * 256 Ki characters.
   */
  readonly text: string
  /** Name of the dialect of a configuration. Default: recognized. */
  readonly dialect?: string | undefined
}

/** Fields of the schemas of requests with a text that defines servers. */
export const explainRequestFields: {
  readonly text: z.ZodType<string>
  readonly dialect: z.ZodType<string | undefined>
} = {
  text: z.string().max(262_144),
  dialect: z.string().min(1).max(100).optional(),
}

/** Schema of `ExplainRequest`. */
export const explainRequestSchema: z.ZodType<ExplainRequest> = z.strictObject(explainRequestFields)

/** A position in the text. Lines and columns start at 1. */
interface TextPosition {
  /** JSON pointer into the document. */
  readonly path?: string
  /** Line in the text. */
  readonly line?: number
  /** Column in the text. */
  readonly column?: number
}

/** Why a server does not start. */
export interface ExplainedReason extends TextPosition {
  /** Stable code. */
  readonly code: string
  /** The reason in one sentence. */
  readonly message: string
  /** Name of the text. */
  readonly file: string
  /** How to change it. */
  readonly fix: string
}

type Definition = NonNullable<DefinitionReport['definition']>

/** What a definition amounts to. Has names, but no values of variables, headers or arguments. */
export interface ExplainedDefinition extends Definition {
  /** Transport of the server. */
  readonly transport: 'stdio' | 'http' | 'sse' | 'ws'
  /** Environment of the program, by the names of its variables. */
  readonly environment?: {
    readonly inherits: 'safe' | 'all' | 'none'
    readonly inheritsNames: readonly string[]
    readonly removes: readonly string[]
    readonly sets: readonly string[]
    readonly hasFile: boolean
    readonly host?: { readonly title: string; readonly inherits: 'all' | 'all but secrets' }
  }
  /** Whether a program prints further headers. */
  readonly hasHeadersHelper?: boolean
  /** Whether a person may have to sign in. */
  readonly maySignIn?: boolean
  /** Approval of calls. Omitted if only the permission rules decide. */
  readonly approval?: {
    readonly default?: ExplainedApproval
    readonly tools?: Readonly<Record<string, ExplainedApproval>>
  }
  /** When the server starts. */
  readonly start: 'eager' | 'lazy' | 'on-demand'
  /** How the running server is replaced when its definition changes. */
  readonly replace: 'start-first' | 'stop-first'
  /** Whether nothing starts if this server does not. */
  readonly required: boolean
}

/** Approval of the calls of a tool; `writes`: those that do not only read are asked about. */
export type ExplainedApproval = 'allow' | 'ask' | 'writes' | 'deny'

/** What becomes of one server. The report of `toolbridge config explain`. */
export interface ExplainedServer {
  /** Name of the server. */
  readonly name: string
  /** Whether it would start. */
  readonly state: DefinitionReport['state']
  /** Why it would not start. Empty if it would. */
  readonly reasons: readonly ExplainedReason[]
  /** Line of its entry. */
  readonly line?: number
  /** Column of its entry. */
  readonly column?: number
  /** Name of the dialect. */
  readonly dialect?: string
  /** What would run. Omitted if the entry is refused. */
  readonly definition?: ExplainedDefinition
  /** The entry as it would be saved, with `…` in place of everything that may be a secret. Omitted if it is refused. */
  readonly entry?: ServerEntry
  /** Variables whose values a person can enter before it is saved. Omitted if there are none. */
  readonly asks?: readonly ExplainedVariable[]
}

/** A variable whose value a person can enter before the server is saved. */
export interface ExplainedVariable {
  /** The variable as it is written between the braces: `input:api-key`, `env:TOKEN` or `secret:token`. */
  readonly variable: string
  /** What the configuration says about it. Untrusted text. */
  readonly description?: string
  /** Whether the value is masked while it is typed. Default: false. */
  readonly isSecret?: boolean
  /** The value if none is entered; `…` in place of a secret. */
  readonly default?: string
  /** The values to choose from. Default: any text. */
  readonly options?: readonly string[]
}

/** How one field of a document was read. */
export interface ExplainedField {
  /** Name of the server; empty for a field outside of the servers. */
  readonly server: string
  /** JSON pointer of the field. */
  readonly path: string
  /** Line of the field. */
  readonly line: number
  /** Column of the field. */
  readonly column: number
  /** Whether the field was kept, translated, dropped or refused. */
  readonly outcome: 'kept' | 'translated' | 'dropped' | 'refused'
  /** The canonical fields it was read into, or why it was not used. */
  readonly reason: string
}

/** A problem of the text. Never contains a configured value. */
export interface ExplainedIssue extends TextPosition {
  /** Stable code. */
  readonly code: string
  /** An error prevents its server from starting; a warning does not. */
  readonly severity: 'error' | 'warning'
  /** The problem in one sentence. */
  readonly message: string
  /** How to solve it. */
  readonly fix: string
}

/** Response of `POST /api/explain`. */
export interface ExplainResponse {
  /** What the text is. Only a document has fields and positions. */
  readonly kind: 'document' | 'command' | 'url'
  /** Name of the dialect; empty if none was recognized. */
  readonly dialect: string
  /** The dialect's name for people, such as `VS Code`; empty if none was recognized. */
  readonly title: string
  /** The servers of the text, as they would be if they were saved. */
  readonly servers: readonly ExplainedServer[]
  /** The outcome of every field. */
  readonly fields: readonly ExplainedField[]
  /** Rules of the host that differ from the default: policies and facts by name. */
  readonly hostRules: readonly { readonly name: string; readonly value: unknown }[]
  /** Problems of the text, and what prevents its servers from being saved. */
  readonly issues: readonly ExplainedIssue[]
}
