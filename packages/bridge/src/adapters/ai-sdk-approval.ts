import { deepEqual } from '@toolbridge/client/internal'
import type { AssistantModelMessage, ModelMessage } from 'ai'
import type { Bridge } from '../bridge.ts'
import type { ProfileName } from '../catalog/profiles/profile.ts'
import { type ModelSurface, type ModelToolsOptions, modelSurface } from './model-surface.ts'

/** What AI SDK 7 is to do with a call. */
export type AiSdkApprovalStatus =
  | { readonly type: 'not-applicable' }
  | { readonly type: 'user-approval' }
  | { readonly type: 'denied'; readonly reason: string }

/** The setting `toolApproval` of AI SDK 7, by name of the tool. */
export type AiSdkToolApproval = Readonly<Record<string, (input: unknown) => Promise<AiSdkApprovalStatus>>>

/** The tool call that is to be executed. */
export interface ApprovedCall {
  readonly toolCallId: string
  readonly toolName: string
  readonly input: unknown
}

/** Returns whether the AI SDK is to ask its user about a call. */
export function needsApproval(surface: ModelSurface, name: string): (input: unknown) => Promise<boolean> {
  return async (input) => (await surface.permissionFor(name, input))?.verdict === 'ask'
}

/** The setting `toolApproval` of AI SDK 7. */
export function toolApproval(
  bridge: Bridge,
  { profile = 'generic', ...options }: ModelToolsOptions & { readonly profile?: ProfileName },
): AiSdkToolApproval {
  const surface = modelSurface(bridge, profile, options)
  return Object.fromEntries(surface.tools.map(({ name }) => [name, statusOf(surface, name)]))
}

function statusOf(surface: ModelSurface, name: string): AiSdkToolApproval[string] {
  return async (input) => {
    const permission = await surface.permissionFor(name, input)
    if (permission?.verdict === 'deny')
      return { type: 'denied', reason: `${name} may not be called: ${permission.reason}` }
    return { type: permission?.verdict === 'ask' ? 'user-approval' : 'not-applicable' }
  }
}

type AssistantPart = Exclude<AssistantModelMessage['content'], string>[number]

/**
 * Returns whether the user has approved this very call: the last message answers a request for the id of the call, the
 * call has no result yet, and what was to be approved has the same tool and arguments.
 */
export function isApproved(
  { toolCallId, toolName, input }: ApprovedCall,
  messages: readonly ModelMessage[],
): boolean {
  const last = messages.at(-1)
  if (last?.role !== 'tool') return false
  const parts = messages.flatMap(assistantParts)
  const shown = parts.findLast((part) => part.type === 'tool-call' && part.toolCallId === toolCallId)
  if (shown?.type !== 'tool-call' || shown.toolName !== toolName || !deepEqual(shown.input, input))
    return false
  const requests = parts.flatMap((part) =>
    part.type === 'tool-approval-request' && part.toolCallId === toolCallId && !isAutomatic(part)
      ? [part.approvalId]
      : [],
  )
  const answers = last.content.flatMap((part) => {
    if (part.type === 'tool-result') return part.toolCallId === toolCallId ? [false] : []
    return requests.includes(part.approvalId) ? [part.approved] : []
  })
  return answers.length > 0 && answers.every((answer) => answer)
}

function assistantParts(message: ModelMessage): readonly AssistantPart[] {
  return message.role === 'assistant' && typeof message.content !== 'string' ? message.content : []
}

/** Whether AI SDK 7 answered the request itself, by its settings. */
function isAutomatic(request: object): boolean {
  return 'isAutomatic' in request && request.isAutomatic === true
}
