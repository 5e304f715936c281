import type { GetPromptResult } from './model/prompt.ts'
import type { CallToolResult } from './model/tool.ts'
import {
  markedPartsBy,
  markedTextBy,
  mediaPlaceholder,
  type PartPolicy,
  type ResultPart,
} from './result-text.ts'

/** A part of a message for a model. */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly source: Base64Source }

/** Media data in base64. */
export interface Base64Source {
  readonly type: 'base64'
  readonly mediaType: string
  readonly data: string
}

/** A tool result for a model: text, or parts if it has other media. */
export type AgentToolResult = string | readonly ContentPart[]

/** A message for a model. */
export interface AgentMessage {
  readonly role: 'user' | 'assistant'
  readonly content: AgentToolResult
}

/** Blocks of unknown types are omitted, and files are named. */
const agentPolicy: PartPolicy = {
  text: 'newline',
  unknown: 'drop',
  media: 'parts',
  structured: 'fallback',
  files: 'name',
}

/**
 * Converts a tool result for a model: text joined by newlines, images and audio as parts, structured content only if
 * there is no other. Failures are prefixed with `Tool error:`. Blocks of unknown types are omitted.
 */
export function mcpContentToResult(result: CallToolResult): AgentToolResult {
  return agentResultBy(agentPolicy, result)
}

/** Converts the messages of a prompt for a model. */
export function mcpPromptToMessages({ messages }: GetPromptResult): readonly AgentMessage[] {
  return messages.map(({ role, content }) => ({ role, content: mcpContentToResult({ content: [content] }) }))
}

/** Converts a tool result for a model by a policy: text, or parts if it has images or audio. */
export function agentResultBy(policy: PartPolicy, result: CallToolResult): AgentToolResult {
  const parts = markedPartsBy(policy, result)
  return parts.every(({ type }) => type === 'text') ? markedTextBy(policy, result) : parts.map(agentPart)
}

function agentPart(part: ResultPart): ContentPart {
  if (part.type === 'text') return part
  const { kind, data, mimeType: mediaType } = part
  if (kind === 'file') return { type: 'text', text: mediaPlaceholder(part) }
  return { type: kind, source: { type: 'base64', mediaType, data } }
}
