import { z } from 'zod'

/** A workflow node that calls a tool. */
export interface ToolNode {
  /** Always `tool`. */
  readonly kind: 'tool'
  /** Id of the node, returned with its result. */
  readonly id: string
  /** Public name or `mcp://` URI of the tool. */
  readonly tool: string
  /** Arguments of the call. Default: `{}`. */
  readonly arguments?: Readonly<Record<string, unknown>> | undefined
}

/** Body of `POST /api/workflow/invoke`. The nodes run in order with the caller's saved servers. */
export interface WorkflowInvokeRequest {
  /** Id of the workflow, returned with the results. At most 200 characters. */
  readonly workflowId: string
  /** 1 to 64 nodes. */
  readonly nodes: readonly ToolNode[]
}

/** Schema of `WorkflowInvokeRequest`. */
export const workflowInvokeRequestSchema: z.ZodType<WorkflowInvokeRequest> = z.strictObject({
  workflowId: z.string().min(1).max(200),
  nodes: z
    .array(
      z.strictObject({
        kind: z.literal('tool'),
        id: z.string().min(1),
        tool: z.string().min(1),
        arguments: z.record(z.string(), z.unknown()).optional(),
      }),
    )
    .min(1)
    .max(64),
})

/** Result of one node. Nodes after a failed one fail with the code `not_run`. */
export type NodeResult =
  | { readonly id: string; readonly status: 'ok'; readonly result: unknown }
  | { readonly id: string; readonly status: 'failed'; readonly code: string; readonly message: string }

/** Response of `POST /api/workflow/invoke`. */
export interface WorkflowInvokeResponse {
  /** Id from the request. */
  readonly workflowId: string
  /** One result per node, in the order of the request. */
  readonly nodes: readonly NodeResult[]
  /** Servers that did not start, and why. */
  readonly failedToolkits: readonly { readonly name: string; readonly error: string }[]
}
