/** A value that the caller entered for a server. Never contains the value. */
export interface StoredInput {
  /** Name of the server whose definition asks for it. */
  readonly server: string
  /** Id of the input in the definition. */
  readonly id: string
}

/** Response of `GET /api/credentials`. */
export interface CredentialsResponse {
  /** The values that the caller entered, oldest first. */
  readonly inputs: readonly StoredInput[]
}
