import type { ProviderRequest, StreamEvent } from './provider.ts'

/** A call that a scripted model makes. */
export interface ScriptedCall {
  /** The name that the model was given. */
  readonly tool: string
  /** The arguments. A text is sent as it is, so it may be invalid JSON. Default: none. */
  readonly input?: object | string
}

/** Tokens that a scripted model says it has used. */
export interface ScriptedUsage {
  readonly input: number
  readonly output: number
}

/** Why a scripted model says it has ended. */
export type ScriptedEnd = 'stop' | 'calls' | 'length' | 'filter'

/** An answer with everything that an API needs to write it. */
export interface WrittenAnswer {
  /** Differs between the answers of a model. */
  readonly id: string
  readonly model: string
  readonly text: string
  readonly calls: readonly { readonly id: string; readonly tool: string; readonly input: string }[]
  readonly end: ScriptedEnd
  readonly usage: ScriptedUsage
}

/** The wire format of a provider's API. */
export interface ModelApi {
  /** The path that clients have at the end of their base URL. */
  readonly basePath: string
  /** Matches the path of a request for an answer, after the base path. */
  readonly route: RegExp
  readonly isStream: (request: ProviderRequest) => boolean
  /** The events before the answer is complete, and those that complete it. */
  readonly stream: (answer: WrittenAnswer) => {
    readonly body: readonly StreamEvent[]
    readonly closing: readonly StreamEvent[]
  }
  readonly whole: (answer: WrittenAnswer) => object
  readonly failure: (message: string) => object
  /** Names of the tools that a request offers. */
  readonly tools: (body: RequestBody) => readonly string[]
  /** The results of tools in a request, as text, in order. */
  readonly results: (body: RequestBody) => readonly string[]
}

/** The data of an event that names its type. */
export interface TypedData {
  readonly type: string
  readonly [field: string]: unknown
}

export type RequestBody = Readonly<Record<string, unknown>>

/** The text in pieces, as a model writes it. */
export function piecesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\s)(?=\S)/)
}

/** The objects in an array of untrusted JSON. */
export function objectsIn(value: unknown): readonly RequestBody[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : []
  return items.filter((item): item is RequestBody => typeof item === 'object' && item !== null)
}

/** A text, or anything else as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
