import type { ContentBlock } from './content.ts'

/** A JSON Schema as the server sent it, including unknown keywords. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** A server's claims about its tool. For display only, unless the operator trusts the server. */
export interface ToolAnnotations {
  /** Name for display. */
  readonly title?: string
  /** The tool changes nothing. */
  readonly readOnlyHint?: boolean
  /** The tool may delete or overwrite. */
  readonly destructiveHint?: boolean
  /** Repeated calls have no further effect. */
  readonly idempotentHint?: boolean
  /** The tool interacts with external systems. */
  readonly openWorldHint?: boolean
}

/** A tool that a server lists. Untrusted text. */
export interface Tool {
  /** Raw name of the tool. */
  readonly name: string
  /** Name for display. */
  readonly title?: string
  /** Description for the model. */
  readonly description?: string
  /** Schema of the arguments. */
  readonly inputSchema: JsonSchema
  /** Schema of `structuredContent`. */
  readonly outputSchema?: JsonSchema
  /** Claims about the behavior of the tool. */
  readonly annotations?: ToolAnnotations
  /** Whether calls may or must be tasks (2025-11-25 only). Default: `forbidden`. */
  readonly execution?: { readonly taskSupport?: 'forbidden' | 'optional' | 'required' }
  readonly _meta?: Readonly<Record<string, unknown>>
}

/** Result of a tool call. */
export interface CallToolResult {
  /** Content for the model. */
  readonly content: readonly ContentBlock[]
  /** The result as JSON, by the output schema of the tool. */
  readonly structuredContent?: unknown
  /** The tool reports a failure. Still a normal result, for the model to read. Default: false. */
  readonly isError?: boolean
  readonly _meta?: Readonly<Record<string, unknown>>
}
