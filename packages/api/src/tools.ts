import { z } from 'zod'

export interface ToolSummary {
  /** Public name: what a model or a caller uses. */
  readonly name: string
  readonly server: string
  /** The server's own name for the tool. */
  readonly rawName: string
  /** Second identity, `mcp://server/tool`. */
  readonly uri: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: Readonly<Record<string, unknown>>
}

export interface ToolsResponse {
  readonly tools: readonly ToolSummary[]
}

export interface CallToolRequest {
  readonly tool: string
  readonly arguments?: Readonly<Record<string, unknown>> | undefined
}

export const callToolRequestSchema: z.ZodType<CallToolRequest> = z.strictObject({
  tool: z.string().min(1),
  arguments: z.record(z.string(), z.unknown()).optional(),
})

/** What the tool returned, as MCP defines it: `isError` marks a failure that the tool itself reports. */
export interface CallToolResponse {
  readonly content: readonly { readonly type: string; readonly [field: string]: unknown }[]
  readonly structuredContent?: unknown
  readonly isError?: boolean
}
