import type { ElicitResult, JsonSchema } from '@toolbridge/client'

/** Who is asking, and in which conversation: where a question goes back to. */
export interface Origin {
  readonly principal: string
  readonly conversation: string
}

/** A text that is the same for equal origins and no others. */
export function originKey({ principal, conversation }: Origin): string {
  return JSON.stringify([principal, conversation])
}

interface QuestionCommons {
  readonly id: string
  readonly origin: Origin
  /** The server on whose behalf the question is asked; always shown to the person. */
  readonly server: string
  /** Public name of the tool whose call led to the question, where that is known. */
  readonly tool?: string
  /** Text for the person. When a server wrote it, it is untrusted. */
  readonly message: string
}

/** A server asks for values. */
export interface FormQuestion extends QuestionCommons {
  readonly kind: 'form'
  readonly schema: JsonSchema
}

/** Toolbridge asks whether a call may be made. */
export interface ApprovalQuestion extends QuestionCommons {
  readonly kind: 'approval'
  readonly tool: string
  /** `<tool> <json arguments>` in one line, cut for display. Whoever decides must be able to see `arguments`. */
  readonly detail: string
  readonly arguments: ShownArguments
}

/** The arguments of a call, for a person to read. */
export interface ShownArguments {
  /** Indented JSON, up to a bound. */
  readonly text: string
  /** How many characters the bound left out: whoever decides must be told. */
  readonly omitted: number
}

export type Question = FormQuestion | ApprovalQuestion

/** To accept an approval is to allow that one call. */
export type Answer = ElicitResult

/** Brings a question to a person on one channel and waits for the answer. Aborting the signal withdraws the question. */
export interface Answerer {
  ask(question: Question, options: { readonly signal: AbortSignal }): Promise<Answer>
}
