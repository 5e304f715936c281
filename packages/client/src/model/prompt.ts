import type { ContentBlock } from './content.ts'

/** An argument of a prompt. */
export interface PromptArgument {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly required?: boolean
}

/** A prompt template that a server offers to users. */
export interface Prompt {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly arguments?: readonly PromptArgument[]
  readonly _meta?: Readonly<Record<string, unknown>>
}

/** A message of a prompt. */
export interface PromptMessage {
  readonly role: 'user' | 'assistant'
  readonly content: ContentBlock
}

/** A prompt with its arguments filled in. Untrusted text. */
export interface GetPromptResult {
  readonly description?: string
  readonly messages: readonly PromptMessage[]
  readonly _meta?: Readonly<Record<string, unknown>>
}
