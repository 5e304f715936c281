import { z } from 'zod'

interface InboxItemCommons {
  readonly id: string
  readonly askedAt: string
  readonly server: string
  readonly tool?: string
  readonly message: string
}

/** An open question for the signed-in person. `message` and `schema` come from a server: untrusted text. */
export type InboxItem =
  | (InboxItemCommons & { readonly kind: 'form'; readonly schema: Readonly<Record<string, unknown>> })
  | (InboxItemCommons & {
      readonly kind: 'approval'
      /** The call in one line, cut for display. */
      readonly detail: string
      /** What the call passes: indented JSON, and how many characters of it are too many to show. */
      readonly arguments: { readonly text: string; readonly omitted: number }
      /** How far an answer may go. */
      readonly decisions: readonly ApprovalDecision[]
    })

const approvalDecisions = ['once', 'session', 'tool', 'always'] as const

/**
 * How far an approval goes: this call, the same call in this session, every call of this tool in this session, or every
 * call of this tool from now on.
 */
export type ApprovalDecision = (typeof approvalDecisions)[number]

export interface InboxResponse {
  readonly items: readonly InboxItem[]
}

export type AnswerValue = string | number | boolean | readonly string[]

/** Body of `POST /api/inbox/:id/answer`. An approval that does not say how far it goes holds for one call. */
export type AnswerRequest =
  | {
      readonly action: 'accept'
      readonly content?: Readonly<Record<string, AnswerValue>> | undefined
      readonly decision?: ApprovalDecision | undefined
    }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' }

const answerValueSchema = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])

export const answerRequestSchema: z.ZodType<AnswerRequest> = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('accept'),
    content: z.record(z.string(), answerValueSchema).optional(),
    decision: z.enum(approvalDecisions).optional(),
  }),
  z.strictObject({ action: z.literal('decline') }),
  z.strictObject({ action: z.literal('cancel') }),
])

export interface AnswerResponse {
  readonly success: true
}
