import type { ContentBlock } from './content.ts'

/** A JSON Schema as the server sent it, including unknown keywords. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** A server's claims about its tool. For display only, unless the operator trusts the server. */
export interface ToolAnnotations {
  readonly title?: string
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

/** A tool that a server lists. Untrusted text. */
export interface Tool {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
  readonly annotations?: ToolAnnotations
  /** Whether calls may or must be tasks (2025-11-25 only). Default: `forbidden`. */
  readonly execution?: { readonly taskSupport?: 'forbidden' | 'optional' | 'required' }
  readonly _meta?: Readonly<Record<string, unknown>>
}

/** Result of a tool call. */
export interface CallToolResult {
  readonly content: readonly ContentBlock[]
  readonly structuredContent?: unknown
  /** The tool reports a failure. Still a normal result, for the model to read. Default: false. */
  readonly isError?: boolean
  readonly _meta?: Readonly<Record<string, unknown>>
}
