import type { ElicitValue, JsonSchema } from '@toolbridge/client'
import type { InputSpec } from '../config/spec/input-spec.ts'
import type { Origin } from '../origin.ts'

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
  /** The rule or the mode that says to ask. */
  readonly reason?: string
  /** How the tool differs from what was approved, in lines to be shown as they are. */
  readonly change?: string
  /** How far an answer may go: what is not offered counts as `once`. */
  readonly decisions?: readonly ApprovalDecision[]
}

/** The arguments of a call, for a person to read. */
export interface ShownArguments {
  /** Indented JSON, up to a bound. */
  readonly text: string
  /** How many characters the bound left out: whoever decides must be told. */
  readonly omitted: number
}

/** A server asks a person to go to a page, outside of its own and our sight. */
export interface UrlQuestion extends QuestionCommons, QuestionUrl {
  readonly kind: 'url'
}

/** Toolbridge asks a person to sign in to a server, or to allow it more. */
export interface ConsentQuestion extends QuestionCommons, QuestionUrl {
  readonly kind: 'consent'
  /** What the server is to be allowed, in its own words. */
  readonly scopes: readonly string[]
}

/** A page to go to. To be opened only when the person agreed, in a browser of theirs, and never read by a program. */
export interface QuestionUrl {
  /** The whole address, to be shown in full. */
  readonly url: string
  /** The host as the network knows it, with its port if it has one; to be shown apart. */
  readonly host: string
  /** What to tell the person about the address before they agree. */
  readonly warnings: readonly string[]
}

/** The definition of a server asks for a value that stands nowhere in it. */
export interface InputQuestion extends QuestionCommons {
  readonly kind: 'input'
  readonly input: InputSpec
}

export type Question = FormQuestion | ApprovalQuestion | UrlQuestion | InputQuestion | ConsentQuestion

/**
 * How far an approval goes: this call, the same call in this session, every call of this tool in this session, or every
 * call of this tool from now on.
 */
export type ApprovalDecision = 'once' | 'session' | 'tool' | 'always'

/**
 * What a person said. To accept a form, or an input as `content.value`, is to give the content; to accept an approval
 * is to allow as much as `decision` says, one call unless told; to accept an address is to agree to go there.
 */
export type Answer =
  | {
      readonly action: 'accept'
      readonly content?: Readonly<Record<string, ElicitValue>>
      readonly decision?: ApprovalDecision
    }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' }

/** Brings a question to a person on one channel and waits for the answer. Aborting the signal withdraws the question. */
export interface Answerer {
  /** What the channel can show; every kind unless told. A question of another kind is never brought to it. */
  readonly kinds?: readonly Question['kind'][]
  ask(question: Question, options: { readonly signal: AbortSignal }): Promise<Answer>
}

/** Whether a question of this kind can be brought to somebody by this answerer. */
export function canShow(answerer: Answerer, kind: Question['kind']): boolean {
  return answerer.kinds?.includes(kind) ?? true
}
