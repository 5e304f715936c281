import type { AudioContent, ContentBlock, ImageContent } from './model/content.ts'
import type { GetPromptResult } from './model/prompt.ts'
import type { CallToolResult } from './model/tool.ts'

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

const ERROR_PREFIX = 'Tool error: '

/**
 * Converts a tool result for a model: text joined by newlines, images and audio as parts, structured content only if
 * there is no other. Failures are prefixed with `Tool error:`. Blocks of unknown types are omitted.
 */
export function mcpContentToResult(result: CallToolResult): AgentToolResult {
  const parts = result.content.flatMap(toPart)
  const isBare = result.content.length === 0 && result.structuredContent !== undefined
  const whole = isBare ? JSON.stringify(result.structuredContent) : joined(parts)
  return result.isError === true ? markedAsError(whole) : whole
}

/** Converts the messages of a prompt for a model. */
export function mcpPromptToMessages({ messages }: GetPromptResult): readonly AgentMessage[] {
  return messages.map(({ role, content }) => ({ role, content: joined(toPart(content)) }))
}

function toPart(block: ContentBlock): readonly ContentPart[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text }]
    case 'image':
    case 'audio':
      return [toMedia(block)]
    case 'resource':
      return [{ type: 'text', text: block.resource.text ?? `[resource ${block.resource.uri}]` }]
    case 'resource_link':
      return [{ type: 'text', text: `[resource ${block.uri}]` }]
    default:
      // A type that this client does not know.
      return []
  }
}

function toMedia({ type, data, mimeType }: ImageContent | AudioContent): ContentPart {
  return { type, source: { type: 'base64', mediaType: mimeType, data } }
}

/** A string if all parts are text. */
function joined(parts: readonly ContentPart[]): AgentToolResult {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.length === parts.length ? texts.join('\n') : parts
}

function markedAsError(result: AgentToolResult): AgentToolResult {
  if (typeof result === 'string') return ERROR_PREFIX + result
  return [{ type: 'text', text: ERROR_PREFIX.trimEnd() }, ...result]
}
