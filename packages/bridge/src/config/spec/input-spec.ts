/** An `${input:…}` variable as the configuration declares it. */
export interface InputSpec {
  /** The name in `${input:id}`. */
  readonly id: string
  /** The text that is shown to the person who answers. */
  readonly description?: string
  /** Whether the answer is masked while typed and stored encrypted. Default: false. */
  readonly isSecret?: boolean
  /** The value if nobody answers. */
  readonly default?: string
  /** The values to choose from. Default: any text. */
  readonly options?: readonly string[]
}

/** A value that a server needs to start and that its definition does not contain. */
export interface InputRequest extends InputSpec {
  /** Name of the server that needs the value. */
  readonly server: string
  /** `input` is asked for; `secret` is looked up by its name. */
  readonly kind: 'input' | 'secret'
}

/** Provides values for `${input:…}` and `${secret:…}`: from a person or from a store. */
export interface InputSource {
  /** Returns the value, or undefined if there is none. Rejects only if aborted. */
  answer(request: InputRequest, options: { readonly signal?: AbortSignal }): Promise<string | undefined>
}
