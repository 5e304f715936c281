import type { ElicitValue, JsonSchema } from '@toolbridge/client'
import type { InputSpec } from '../config/spec/input-spec.ts'
import type { Origin } from '../origin.ts'

interface QuestionCommons {
  readonly id: string
  readonly origin: Origin
  /** The server that the question is about. Always show it to the person. */
  readonly server: string
  /** Public name of the tool whose call led to the question, if known. */
  readonly tool?: string
  /** Text for the person. Untrusted when a server wrote it. */
  readonly message: string
}

/** A server asks for values (MCP form elicitation). */
export interface FormQuestion extends QuestionCommons {
  readonly kind: 'form'
  /** The fields to fill in. */
  readonly schema: JsonSchema
}

/** Toolbridge asks whether a tool may be called. */
export interface ApprovalQuestion extends QuestionCommons {
  readonly kind: 'approval'
  readonly tool: string
  /** `<tool> <json arguments>` in one line, truncated. Let the person see `arguments` before they decide. */
  readonly detail: string
  /** The arguments of the call. */
  readonly arguments: ShownArguments
  /** The rule or mode that requires the approval. */
  readonly reason?: string
  /** A line diff between the approved definition of the tool and the current one. */
  readonly change?: string
  /** The decisions on offer. Any other decision counts as `once`. */
  readonly decisions?: readonly ApprovalDecision[]
}

/** The arguments of a call as readable text. */
export interface ShownArguments {
  /** Indented JSON, truncated after 65,536 characters. */
  readonly text: string
  /** Number of truncated characters. Tell the person if it is not 0. */
  readonly omitted: number
}

/** A server asks a person to open a page (MCP URL elicitation). */
export interface UrlQuestion extends QuestionCommons, QuestionUrl {
  readonly kind: 'url'
}

/** Toolbridge asks a person to sign in to a server or to grant it more scopes. */
export interface ConsentQuestion extends QuestionCommons, QuestionUrl {
  readonly kind: 'consent'
  /** The requested OAuth scopes. */
  readonly scopes: readonly string[]
}

/** A page to open. Open it only after the person agreed, in their own browser; no program may read it. */
export interface QuestionUrl {
  /** The full URL. Show all of it. */
  readonly url: string
  /** Hostname in ASCII form, with the port if any. Show it separately. */
  readonly host: string
  /** Warnings about the URL to show before the person agrees. */
  readonly warnings: readonly string[]
}

/** A server definition needs a value that it does not contain, such as `${input:token}`. */
export interface InputQuestion extends QuestionCommons {
  readonly kind: 'input'
  /** The requested input. */
  readonly input: InputSpec
}

/** A question for a person; `kind` tells the variants apart. */
export type Question = FormQuestion | ApprovalQuestion | UrlQuestion | InputQuestion | ConsentQuestion

/**
 * The extent of an approval. `once`: this call. `session`: the same call for the rest of the conversation. `tool`: every
 * call of the tool for the rest of the conversation. `always`: every call of the tool from now on.
 */
export type ApprovalDecision = 'once' | 'session' | 'tool' | 'always'

/**
 * The answer of a person. Accepting a form carries `content`; accepting an input carries `content.value`; accepting an
 * approval carries `decision` (default: `once`); accepting a URL agrees to open it.
 */
export type Answer =
  | {
      readonly action: 'accept'
      readonly content?: Readonly<Record<string, ElicitValue>>
      readonly decision?: ApprovalDecision
    }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' }

/** A channel that brings questions to a person and returns the answers. */
export interface Answerer {
  /**
   * Name of the channel within a conversation. Answerers with the same name reach the same person in the same place, so
   * their calls may share a connection to a legacy server, over which a question names no call. Default: each answerer is
   * a channel of its own.
   */
  readonly channel?: string
  /** The kinds of questions that the channel can show; no others are brought to it. Default: all. */
  readonly kinds?: readonly Question['kind'][]
  /** Asks the question. Aborting the signal withdraws it. */
  ask(question: Question, options: { readonly signal: AbortSignal }): Promise<Answer>
}

/** Returns whether the answerer can show questions of this kind. */
export function canShow(answerer: Answerer, kind: Question['kind']): boolean {
  return answerer.kinds?.includes(kind) ?? true
}
