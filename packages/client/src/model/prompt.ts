import type { ContentBlock } from './content.ts'

export interface PromptArgument {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly required?: boolean
}

/** A text that a server offers for a person to put to the model. */
export interface Prompt {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly arguments?: readonly PromptArgument[]
  readonly _meta?: Readonly<Record<string, unknown>>
}

export interface PromptMessage {
  readonly role: 'user' | 'assistant'
  readonly content: ContentBlock
}

export interface GetPromptResult {
  readonly description?: string
  readonly messages: readonly PromptMessage[]
  readonly _meta?: Readonly<Record<string, unknown>>
}
