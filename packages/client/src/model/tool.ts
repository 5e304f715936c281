import type { ContentBlock } from './content.ts'

/** A JSON Schema as the server sent it, unknown keywords included. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Claims of the server about its tool: for display, never for a decision unless the operator vouches for the server. */
export interface ToolAnnotations {
  readonly title?: string
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

export interface Tool {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
  readonly annotations?: ToolAnnotations
  /** Whether calls may or must be tasks, in the one revision in which tools say so; left out, they must not. */
  readonly execution?: { readonly taskSupport?: 'forbidden' | 'optional' | 'required' }
  readonly _meta?: Readonly<Record<string, unknown>>
}

export interface CallToolResult {
  readonly content: readonly ContentBlock[]
  readonly structuredContent?: unknown
  /** The tool ran and reports failure: a normal result that the model should read. */
  readonly isError?: boolean
  readonly _meta?: Readonly<Record<string, unknown>>
}
