import { z } from 'zod'

/** A tool of a running server. */
export interface ToolSummary {
  /** Public name, used by models and callers. */
  readonly name: string
  /** Name of the server. */
  readonly server: string
  /** The server's own name for the tool. */
  readonly rawName: string
  /** Alternative identifier, `mcp://server/tool`. */
  readonly uri: string
  /** Title for people. */
  readonly title?: string
  /** Description by the server: untrusted text. */
  readonly description?: string
  /** JSON Schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>
  /** What the server claims about the effects of the tool. Absent if it claims nothing. */
  readonly hints?: ToolHints
}

/** Claims of a server about a tool: untrusted. */
export interface ToolHints {
  /** Whether the tool changes nothing. */
  readonly readOnly?: boolean
  /** Whether the tool may delete or overwrite. */
  readonly destructive?: boolean
  /** Whether repeated calls have no further effect. */
  readonly idempotent?: boolean
  /** Whether the tool uses systems outside of the server. */
  readonly openWorld?: boolean
}

/** Response of `GET /api/tools`. */
export interface ToolsResponse {
  /** The tools of the caller's servers that are ready. */
  readonly tools: readonly ToolSummary[]
}

/** Body of `POST /api/tools/call`. */
export interface CallToolRequest {
  /** Public name or `mcp://` URI of the tool. */
  readonly tool: string
  /** Arguments of the call. Default: `{}`. */
  readonly arguments?: Readonly<Record<string, unknown>> | undefined
}

/** Schema of `CallToolRequest`. */
export const callToolRequestSchema: z.ZodType<CallToolRequest> = z.strictObject({
  tool: z.string().min(1),
  arguments: z.record(z.string(), z.unknown()).optional(),
})

/** Response of `POST /api/tools/call`: the MCP result of the tool. */
export interface CallToolResponse {
  /** Content blocks. */
  readonly content: readonly { readonly type: string; readonly [field: string]: unknown }[]
  /** Structured result, if the tool returns one. */
  readonly structuredContent?: unknown
  /** True if the tool itself reports a failure. */
  readonly isError?: boolean
}
