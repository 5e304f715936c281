import { z } from 'zod'

/** A workflow node that calls a tool. */
export interface ToolNode {
  /** Always `tool`. */
  readonly kind: 'tool'
  /** Id of the node, returned with its result. */
  readonly id: string
  /** Public name or `mcp://` URI of the tool. Only the server that it names is started. */
  readonly tool: string
  /** Arguments of the call. Default: `{}`. */
  readonly arguments?: Readonly<Record<string, unknown>> | undefined
}

/** A workflow node that lets a model answer with the tools of servers. */
export interface AgentNode {
  /** Always `agent`. */
  readonly kind: 'agent'
  /** Id of the node, returned with its result. */
  readonly id: string
  /** The model as `provider/model`, such as `openai/gpt-5`. Its key is that of the provider in `apiKeys`. */
  readonly model: string
  /** The message to the model. */
  readonly prompt: string
  /** Instructions for the model. Default: none. */
  readonly system?: string | undefined
  /** Names of the saved servers whose tools the model can use. Default: none. */
  readonly toolkits?: readonly string[] | undefined
  /** Requests to the model, each of which may call tools. 1 to 64. Default: 16. */
  readonly maxSteps?: number | undefined
  /** Address of the model's API; restricted like those of saved servers. Default: the provider's own. */
  readonly baseUrl?: string | undefined
}

/** A node of a workflow. */
export type WorkflowNode = ToolNode | AgentNode

/** Body of `POST /api/workflow/invoke`. The nodes run in order with the caller's saved servers. */
export interface WorkflowInvokeRequest {
  /** Id of the workflow, returned with the results. At most 200 characters. */
  readonly workflowId: string
  /** 1 to 64 nodes. */
  readonly nodes: readonly WorkflowNode[]
  /** Values of `${secret:…}` in saved servers, by name. They are not stored. Default: none. */
  readonly secrets?: Readonly<Record<string, string>> | undefined
  /** Keys of model providers, such as `{ "openai": "…" }`. They are not stored. Default: none. */
  readonly apiKeys?: Readonly<Record<string, string>> | undefined
}

const toolNodeSchema = z.strictObject({
  kind: z.literal('tool'),
  id: z.string().min(1),
  tool: z.string().min(1),
  arguments: z.record(z.string(), z.unknown()).optional(),
})

const agentNodeSchema = z.strictObject({
  kind: z.literal('agent'),
  id: z.string().min(1),
  model: z.string().min(1).max(200),
  prompt: z.string().min(1),
  system: z.string().optional(),
  toolkits: z.array(z.string().min(1)).max(64).optional(),
  maxSteps: z.int().min(1).max(64).optional(),
  baseUrl: z.url().optional(),
})

const namedTextsSchema = z.record(z.string().min(1).max(200), z.string().min(1).max(20_000)).optional()

/** Schema of `WorkflowInvokeRequest`. */
export const workflowInvokeRequestSchema: z.ZodType<WorkflowInvokeRequest> = z.strictObject({
  workflowId: z.string().min(1).max(200),
  nodes: z
    .array(z.discriminatedUnion('kind', [toolNodeSchema, agentNodeSchema]))
    .min(1)
    .max(64),
  secrets: namedTextsSchema,
  apiKeys: namedTextsSchema,
})

/** Result of an agent node. */
export interface AgentNodeResult {
  /** The answer of the model. */
  readonly text: string
  /** Why the run ended: `answered`, or the limit or reason that cut it short. */
  readonly end: string
  /** Number of requests to the model. */
  readonly steps: number
  /** Tokens of all requests, as counted by the provider. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number }
}

/**
 * Result of one node: that of the tool, or an `AgentNodeResult`. Nodes after a failed one fail with the code `not_run`.
 */
export type NodeResult =
  | { readonly id: string; readonly status: 'ok'; readonly result: unknown }
  | { readonly id: string; readonly status: 'failed'; readonly code: string; readonly message: string }

/** Response of `POST /api/workflow/invoke`. */
export interface WorkflowInvokeResponse {
  /** Id from the request. */
  readonly workflowId: string
  /** One result per node, in the order of the request. */
  readonly nodes: readonly NodeResult[]
  /** Servers that a node names and that could not be used, and why. */
  readonly failedToolkits: readonly { readonly name: string; readonly error: string }[]
}
