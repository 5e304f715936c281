import { type GetPromptResult, toText } from '@toolbridge/client'
import { type ResultPart, resultParts } from '@toolbridge/client/internal'
import * as sdk from 'ai'
import type { ModelMessage, ToolSet } from 'ai'
import type { Bridge } from '../bridge.ts'
import { type AiSdkToolApproval, toolApproval } from './ai-sdk-approval.ts'
import { type AiSdkToolOptions, toolSet } from './ai-sdk-tools.ts'

export type { AiSdkApprovalStatus, AiSdkToolApproval } from './ai-sdk-approval.ts'
export type { AiSdkToolOptions } from './ai-sdk-tools.ts'
export type { AiSdkVersion } from './ai-sdk-version.ts'

/**
 * Returns the current tools of the bridge for the AI SDK, version 6 or 7. A failure reported by a tool is returned to the
 * model as an error; a denial or a lost server is thrown, which the SDK converts to the same.
 *
 * @example
 * ```ts
 * import { aiSdkTools } from '@toolbridge/bridge/ai-sdk'
 *
 * const tools = aiSdkTools(bridge, { only: ['hello__hello'] }) // for generateText({ model, tools, prompt })
 * console.log(Object.keys(tools)) // [ 'hello__hello' ]
 * ```
 */
export function aiSdkTools(bridge: Bridge, options: AiSdkToolOptions = {}): ToolSet {
  return toolSet(sdk, bridge, options)
}

/**
 * Returns the setting `toolApproval` of AI SDK 7 for the tools of the bridge: a call that the permission rules ask about
 * needs the user's approval, and one that they deny is denied. Pass the options of `aiSdkTools`, with `sdkApproval: true`.
 *
 * @example
 * ```ts
 * import { aiSdkToolApproval, aiSdkTools } from '@toolbridge/bridge/ai-sdk'
 *
 * const options = { sdkApproval: true }
 * const tools = aiSdkTools(bridge, options)
 * const toolApproval = aiSdkToolApproval(bridge, options) // for generateText({ model, tools, toolApproval, prompt })
 * console.log(Object.keys(toolApproval)) // [ 'hello__hello', 'hello__repeat' ]
 * ```
 */
export function aiSdkToolApproval(bridge: Bridge, options: AiSdkToolOptions = {}): AiSdkToolApproval {
  return toolApproval(bridge, options)
}

/** Converts the messages of a prompt for the AI SDK. */
export function aiSdkMessages({ messages }: GetPromptResult): ModelMessage[] {
  return messages.map(({ role, content }): ModelMessage => {
    if (role === 'assistant') return { role, content: toText({ content: [content] }) }
    return { role, content: resultParts({ content: [content] }).map(promptPart) }
  })
}

type UserPart = Exclude<Extract<ModelMessage, { role: 'user' }>['content'], string>[number]

function promptPart(part: ResultPart): UserPart {
  if (part.type === 'text') return part
  // Encoded again, because the AI SDK opens data that is a URL.
  const data = Buffer.from(part.data, 'base64').toString('base64')
  return { type: 'file', data, mediaType: part.mimeType }
}
