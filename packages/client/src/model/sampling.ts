import type { AudioContent, ContentBlock, ImageContent, TextContent } from './content.ts'
import type { Tool } from './tool.ts'

/** The model wants a tool called. */
export interface ToolUseContent {
  readonly type: 'tool_use'
  readonly id: string
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  readonly _meta?: Readonly<Record<string, unknown>>
}

/** What the tool answered. */
export interface ToolResultContent {
  readonly type: 'tool_result'
  readonly toolUseId: string
  readonly content: readonly ContentBlock[]
  readonly structuredContent?: unknown
  readonly isError?: boolean
  readonly _meta?: Readonly<Record<string, unknown>>
}

export type SamplingContent = TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent

export interface SamplingMessage {
  readonly role: 'user' | 'assistant'
  readonly content: SamplingContent | readonly SamplingContent[]
  readonly _meta?: Readonly<Record<string, unknown>>
}

export interface ModelPreferences {
  /** Parts of model names, the most wanted first. */
  readonly hints?: readonly { readonly name?: string }[]
  readonly costPriority?: number
  readonly speedPriority?: number
  readonly intelligencePriority?: number
}

/** A server asks for a completion by the host's model. Everything in it is untrusted. */
export interface SamplingRequest {
  readonly messages: readonly SamplingMessage[]
  /** The most tokens the answer may have. */
  readonly maxTokens: number
  readonly systemPrompt?: string
  readonly modelPreferences?: ModelPreferences
  readonly temperature?: number
  readonly stopSequences?: readonly string[]
  readonly includeContext?: 'none' | 'thisServer' | 'allServers'
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly tools?: readonly Tool[]
  readonly toolChoice?: { readonly mode?: 'auto' | 'required' | 'none' }
}

export interface SamplingResult {
  readonly role: 'assistant'
  readonly content: SamplingContent | readonly SamplingContent[]
  /** The model that answered. */
  readonly model: string
  readonly stopReason?: string
}
