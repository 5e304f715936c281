import { z } from 'zod'

interface ResourceCommons {
  /** Name of the server. */
  readonly server: string
  /** Name by the server. */
  readonly name: string
  /** Title for people. */
  readonly title?: string
  /** Description by the server: untrusted text. */
  readonly description?: string
  /** Media type of the contents. */
  readonly mimeType?: string
}

/** A resource of a running server. */
export interface ResourceSummary extends ResourceCommons {
  /** URI of the resource. */
  readonly uri: string
  /** Size in bytes. */
  readonly size?: number
}

/** A template (RFC 6570) for the URIs of resources. */
export interface ResourceTemplateSummary extends ResourceCommons {
  /** The template. */
  readonly uriTemplate: string
}

/** Response of `GET /api/resources`. */
export interface ResourcesResponse {
  /** The resources of running servers, by server and URI, except those that rules deny. */
  readonly resources: readonly ResourceSummary[]
  /** Their templates. */
  readonly templates: readonly ResourceTemplateSummary[]
}

/** Body of `POST /api/resources/read`. */
export interface ReadResourceRequest {
  /** Name of the server. */
  readonly server: string
  /** URI of the resource. */
  readonly uri: string
}

/** Schema of `ReadResourceRequest`. */
export const readResourceRequestSchema: z.ZodType<ReadResourceRequest> = z.strictObject({
  server: z.string().min(1),
  uri: z.string().min(1).max(8_192),
})

/** Response of `POST /api/resources/read`: the result of the server. Untrusted. */
export interface ReadResourceResponse {
  /** Text in `text`, or bytes in base64 in `blob`. */
  readonly contents: readonly {
    readonly uri: string
    readonly mimeType?: string
    readonly text?: string
    readonly blob?: string
  }[]
}

/** Response of `POST /api/resources/subscribe`. */
export interface SubscribeResourceResponse {
  /** Time at which the subscription ends unless the request is repeated, as ISO 8601. */
  readonly expiresAt: string
}

/** A prompt of a running server. */
export interface PromptSummary {
  /** Name of the server. */
  readonly server: string
  /** Name by the server. */
  readonly name: string
  /** Title for people. */
  readonly title?: string
  /** Description by the server: untrusted text. */
  readonly description?: string
  /** Arguments of the prompt. Default: none. */
  readonly arguments?: readonly {
    readonly name: string
    readonly title?: string
    readonly description?: string
    readonly required?: boolean
  }[]
}

/** Response of `GET /api/prompts`. */
export interface PromptsResponse {
  /** The prompts of running servers, by server and name, except those that rules deny. */
  readonly prompts: readonly PromptSummary[]
}

/** Body of `POST /api/prompts/get`. */
export interface GetPromptRequest {
  /** Name of the server. */
  readonly server: string
  /** Name of the prompt. */
  readonly name: string
  /** Arguments by name. Default: none. */
  readonly arguments?: Readonly<Record<string, string>> | undefined
}

/** Schema of `GetPromptRequest`. */
export const getPromptRequestSchema: z.ZodType<GetPromptRequest> = z.strictObject({
  server: z.string().min(1),
  name: z.string().min(1),
  arguments: z.record(z.string(), z.string()).optional(),
})

/** Response of `POST /api/prompts/get`: the result of the server. Untrusted. */
export interface GetPromptResponse {
  /** Description of the prompt. */
  readonly description?: string
  /** Messages for a model, each with one content block. */
  readonly messages: readonly {
    readonly role: 'user' | 'assistant'
    readonly content: { readonly type: string; readonly [field: string]: unknown }
  }[]
}

/** Body of `POST /api/complete`. */
export interface CompleteArgumentRequest {
  /** Name of the server. */
  readonly server: string
  /** The prompt, or the template of resources, whose argument is completed. */
  readonly ref:
    | { readonly type: 'ref/prompt'; readonly name: string }
    | { readonly type: 'ref/resource'; readonly uri: string }
  /** The argument and its value so far. */
  readonly argument: { readonly name: string; readonly value: string }
  /** Values of the other arguments. Default: none. */
  readonly context?: { readonly arguments: Readonly<Record<string, string>> } | undefined
}

/** Schema of `CompleteArgumentRequest`. */
export const completeArgumentRequestSchema: z.ZodType<CompleteArgumentRequest> = z.strictObject({
  server: z.string().min(1),
  ref: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('ref/prompt'), name: z.string().min(1) }),
    z.strictObject({ type: z.literal('ref/resource'), uri: z.string().min(1).max(8_192) }),
  ]),
  argument: z.strictObject({ name: z.string().min(1), value: z.string() }),
  context: z.strictObject({ arguments: z.record(z.string(), z.string()) }).optional(),
})

/** Response of `POST /api/complete`. */
export interface CompleteArgumentResponse {
  /** Suggested values, best first. */
  readonly values: readonly string[]
  /** Number of all values, if known. */
  readonly total?: number
  /** Whether there are more values. */
  readonly hasMore?: boolean
}
