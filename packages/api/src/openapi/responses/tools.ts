import { z } from 'zod'
import type { CallToolResponse, ToolSummary, ToolsResponse } from '../../tools.ts'
import type { WorkflowInvokeResponse } from '../../workflow.ts'
import { objectSchema } from './common.ts'

/** A content block of MCP. Its fields depend on `type`. */
export const contentBlockSchema: z.ZodType<CallToolResponse['content'][number]> = z.looseObject({
  type: z.string(),
})

export const toolSummarySchema: z.ZodType<ToolSummary> = z.object({
  name: z.string(),
  server: z.string(),
  rawName: z.string(),
  uri: z.string(),
  title: z.string().exactOptional(),
  description: z.string().exactOptional(),
  inputSchema: objectSchema,
  hints: z
    .object({
      readOnly: z.boolean().exactOptional(),
      destructive: z.boolean().exactOptional(),
      idempotent: z.boolean().exactOptional(),
      openWorld: z.boolean().exactOptional(),
    })
    .exactOptional(),
})

export const toolsResponseSchema: z.ZodType<ToolsResponse> = z.object({ tools: z.array(toolSummarySchema) })

/** A result of MCP, which may have further fields. */
export const callToolResponseSchema: z.ZodType<CallToolResponse> = z.looseObject({
  content: z.array(contentBlockSchema),
  structuredContent: z.unknown().exactOptional(),
  isError: z.boolean().exactOptional(),
})

export const workflowInvokeResponseSchema: z.ZodType<WorkflowInvokeResponse> = z.object({
  workflowId: z.string(),
  nodes: z.array(
    z.union([
      z.object({ id: z.string(), status: z.literal('ok'), result: z.unknown() }),
      z.object({ id: z.string(), status: z.literal('failed'), code: z.string(), message: z.string() }),
    ]),
  ),
  failedToolkits: z.array(z.object({ name: z.string(), error: z.string() })),
})
