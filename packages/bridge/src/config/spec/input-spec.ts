/** What a `${input:…}` asks for, as far as the document says. */
export interface InputSpec {
  readonly id: string
  readonly description?: string
  /** The answer is a secret: it is not shown while it is typed, and kept sealed. */
  readonly isSecret?: boolean
  readonly default?: string
  readonly options?: readonly string[]
}

/** What is needed to start a server and stands nowhere in its definition. */
export interface InputRequest extends InputSpec {
  /** Name of the server that needs it. */
  readonly server: string
  /** `input` is asked for; `secret` is looked up under its name. */
  readonly kind: 'input' | 'secret'
}

/** Answers what a definition asks for: a person, or what they said before. */
export interface InputSource {
  /** Undefined when there is no answer. Rejects only when cancelled. */
  answer(request: InputRequest, options: { readonly signal?: AbortSignal }): Promise<string | undefined>
}
