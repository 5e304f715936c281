import type { AudioContent, ContentBlock, ImageContent, TextContent } from './content.ts'
import type { Tool } from './tool.ts'

/** A tool call by the model. */
export interface ToolUseContent {
  readonly type: 'tool_use'
  readonly id: string
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  readonly _meta?: Readonly<Record<string, unknown>>
}

/** The result of a tool call. */
export interface ToolResultContent {
  readonly type: 'tool_result'
  readonly toolUseId: string
  readonly content: readonly ContentBlock[]
  readonly structuredContent?: unknown
  readonly isError?: boolean
  readonly _meta?: Readonly<Record<string, unknown>>
}

/** A block of a sampling message. */
export type SamplingContent = TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent

/** A message of a sampling request. */
export interface SamplingMessage {
  readonly role: 'user' | 'assistant'
  readonly content: SamplingContent | readonly SamplingContent[]
  readonly _meta?: Readonly<Record<string, unknown>>
}

/** The server's preferences for the choice of a model. */
export interface ModelPreferences {
  /** Parts of model names, in order of preference. */
  readonly hints?: readonly { readonly name?: string }[]
  readonly costPriority?: number
  readonly speedPriority?: number
  readonly intelligencePriority?: number
}

/** Asks the host's model for a completion. Untrusted text. */
export interface SamplingRequest {
  readonly messages: readonly SamplingMessage[]
  /** Maximum number of tokens in the answer. */
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

/** The model's answer to a sampling request. */
export interface SamplingResult {
  readonly role: 'assistant'
  readonly content: SamplingContent | readonly SamplingContent[]
  /** Name of the model that answered. */
  readonly model: string
  readonly stopReason?: string
}
