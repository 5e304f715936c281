import { z } from 'zod'

interface InboxItemCommons {
  /** Unique id of the question. */
  readonly id: string
  /** Time of the question, as ISO 8601. */
  readonly askedAt: string
  /** Name of the server. */
  readonly server: string
  /** Public name of the tool whose call led to the question, if known. */
  readonly tool?: string
  /** Name that the MCP host whose call led to the question gave itself: untrusted text. Default: no host made the call. */
  readonly host?: string
  /** The question. */
  readonly message: string
}

/** A value that the definition of a server needs to start. */
export interface RequestedInput {
  /** Name of the input in the definition. */
  readonly id: string
  /** Whether the value is a secret: hide it while it is typed. */
  readonly isSecret: boolean
  /** The values to choose from. Default: any text. */
  readonly options?: readonly string[]
  /** The value to start from. Default: none. */
  readonly default?: string
}

/** A page that the person is asked to open: only after they agreed, and never by a program. */
export interface RequestedPage {
  /** The full URL. Show all of it. */
  readonly url: string
  /** Hostname in ASCII form, with the port if any. Show it separately. */
  readonly host: string
  /** Warnings about the URL to show before the person agrees. */
  readonly warnings: readonly string[]
}

/**
 * An open question to the signed-in person. `message` and `schema` come from a server or its definition: untrusted text. The
 * answer to an `input` has the value in `content: { value }`. Accepting a `url` or a `consent` agrees to open its page; a
 * `consent` is a sign-in to the server, which the page finishes.
 */
export type InboxItem =
  | (InboxItemCommons & { readonly kind: 'input'; readonly input: RequestedInput })
  | (InboxItemCommons & { readonly kind: 'form'; readonly schema: Readonly<Record<string, unknown>> })
  | (InboxItemCommons & {
      readonly kind: 'approval'
      /** The call in one line, shortened for display. */
      readonly detail: string
      /** Arguments of the call as indented JSON, and the number of characters that were omitted. */
      readonly arguments: { readonly text: string; readonly omitted: number }
      /** The decisions that an answer may choose. */
      readonly decisions: readonly ApprovalDecision[]
    })
  | (InboxItemCommons & { readonly kind: 'url'; readonly page: RequestedPage })
  | (InboxItemCommons & {
      readonly kind: 'consent'
      readonly page: RequestedPage
      /** The requested OAuth scopes. */
      readonly scopes: readonly string[]
    })

const approvalDecisions = ['once', 'session', 'tool', 'always'] as const

/**
 * Scope of an approval. `once`: this call. `session`: the same call for the rest of the conversation. `tool`: every call
 * of this tool for the rest of the conversation. `always`: every call of this tool.
 */
export type ApprovalDecision = (typeof approvalDecisions)[number]

/** Response of `GET /api/inbox`. */
export interface InboxResponse {
  /** Open questions, oldest first. */
  readonly items: readonly InboxItem[]
}

/** Value of a form field. */
export type AnswerValue = string | number | boolean | readonly string[]

/** Body of `POST /api/inbox/:id/answer`. Default of `decision`: `once`. */
export type AnswerRequest =
  | {
      readonly action: 'accept'
      readonly content?: Readonly<Record<string, AnswerValue>> | undefined
      readonly decision?: ApprovalDecision | undefined
    }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' }

const answerValueSchema = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])

/** Schema of `AnswerRequest`. */
export const answerRequestSchema: z.ZodType<AnswerRequest> = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('accept'),
    content: z.record(z.string(), answerValueSchema).optional(),
    decision: z.enum(approvalDecisions).optional(),
  }),
  z.strictObject({ action: z.literal('decline') }),
  z.strictObject({ action: z.literal('cancel') }),
])

/** Response of `POST /api/inbox/:id/answer`. */
export interface AnswerResponse {
  /** Always true. */
  readonly success: true
}
