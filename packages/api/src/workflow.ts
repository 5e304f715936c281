import { z } from 'zod'

export interface ToolNode {
  readonly kind: 'tool'
  readonly id: string
  readonly tool: string
  readonly arguments?: Readonly<Record<string, unknown>> | undefined
}

/** Body of `POST /api/workflow/invoke`: the nodes run in order, with the toolkits of the caller's saved settings. */
export interface WorkflowInvokeRequest {
  readonly workflowId: string
  readonly nodes: readonly ToolNode[]
}

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

export type NodeResult =
  | { readonly id: string; readonly status: 'ok'; readonly result: unknown }
  | { readonly id: string; readonly status: 'failed'; readonly code: string; readonly message: string }

export interface WorkflowInvokeResponse {
  readonly workflowId: string
  readonly nodes: readonly NodeResult[]
  /** Toolkits that did not start, and why. */
  readonly failedToolkits: readonly { readonly name: string; readonly error: string }[]
}
