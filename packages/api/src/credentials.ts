/** A value that the caller entered for a server. Never contains the value. */
export interface StoredInput {
  /** Name of the server whose definition asks for it. */
  readonly server: string
  /** Id of the input in the definition. */
  readonly id: string
}

/** An account of the caller at a server. Never contains a token. */
export interface ServerAccount {
  /** Unique id of the account. */
  readonly id: string
  /** URL origin of the server; the rest of its URL may be a secret. */
  readonly origin: string
  /** The issuer of the tokens. */
  readonly issuer: string
  /** Names of the caller's servers that use the account; none if they were removed. */
  readonly servers: readonly string[]
}

/** Response of `GET /api/credentials`. */
export interface CredentialsResponse {
  /** The values that the caller entered, oldest first. */
  readonly inputs: readonly StoredInput[]
  /** The accounts that the caller signed in to. */
  readonly accounts: readonly ServerAccount[]
}
