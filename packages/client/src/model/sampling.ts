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
  /** Importance of low cost, from 0 to 1. */
  readonly costPriority?: number
  /** Importance of speed, from 0 to 1. */
  readonly speedPriority?: number
  /** Importance of capability, from 0 to 1. */
  readonly intelligencePriority?: number
}

/** Asks the host's model for a completion. Untrusted text. */
export interface SamplingRequest {
  /** The conversation so far. */
  readonly messages: readonly SamplingMessage[]
  /** Maximum number of tokens in the answer. */
  readonly maxTokens: number
  /** Suggested system prompt. The host may change or ignore it. */
  readonly systemPrompt?: string
  /** Preferences for the model. The host decides. */
  readonly modelPreferences?: ModelPreferences
  /** Sampling temperature. */
  readonly temperature?: number
  /** Texts at which the model stops. */
  readonly stopSequences?: readonly string[]
  /** Context of servers to include. The host may ignore it. */
  readonly includeContext?: 'none' | 'thisServer' | 'allServers'
  /** Parameters for the model provider. */
  readonly metadata?: Readonly<Record<string, unknown>>
  /** Tools that the model may call. */
  readonly tools?: readonly Tool[]
  /** Whether the model may or must call tools. */
  readonly toolChoice?: { readonly mode?: 'auto' | 'required' | 'none' }
}

/** The model's answer to a sampling request. */
export interface SamplingResult {
  readonly role: 'assistant'
  readonly content: SamplingContent | readonly SamplingContent[]
  /** Name of the model that answered. */
  readonly model: string
  /** Why the model stopped, for example `endTurn` or `toolUse`. */
  readonly stopReason?: string
}
