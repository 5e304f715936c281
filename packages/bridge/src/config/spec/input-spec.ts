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

/** Where the value of an input goes. */
export interface InputDestination {
  /** Scheme, host and port of the server, or `command` and the SHA-256 of the program and its arguments as written. */
  readonly target: string
  /** The fields that the value fills, as sorted JSON pointers such as `/headers/authorization` or `/env/TOKEN`. */
  readonly fields: readonly string[]
}

/** A value that a server needs to start and that its definition does not contain. */
export interface InputRequest extends InputSpec {
  /** Name of the server that needs the value. */
  readonly server: string
  /** `input` is asked for; `secret` is looked up by its name. */
  readonly kind: 'input' | 'secret'
  /** Where the value goes. A stored value is used only for the destination that it was entered for. */
  readonly destination: InputDestination
}

/** Provides values for `${input:…}` and `${secret:…}`: from a person or from a store. */
export interface InputSource {
  /**
   * Returns the value, or undefined if there is none. Rejects if aborted, or with a `DestinationChangedError` if the stored
   * value was entered for another destination.
   */
  answer(request: InputRequest, options: { readonly signal?: AbortSignal }): Promise<string | undefined>
}
