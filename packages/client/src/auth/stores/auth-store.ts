import type {
  ClientInformation,
  ClientMetadata,
  JsonWebKey,
  OAuthTokens,
} from '../messages/oauth-documents.ts'

/** The key of stored tokens. */
export type AuthKey = {
  /** The issuer of the authorization server. */
  readonly issuer: string
  /** The resource, verbatim as in `resource` parameters. */
  readonly resource: string
  /** Whose tokens they are, if one store serves many people. */
  readonly principal: string
}

/** Records that a refresh token is about to be sent. Stored before sending, so that it survives a crash. */
export type RefreshIntent = {
  /** The generation whose refresh token is sent. */
  readonly generation: number
  /** Identifies the attempt. */
  readonly nonce: string
  readonly atMs: number
  /** The sender, for messages only. */
  readonly holder: string
}

/** Why tokens were dropped. */
export type DropReason = 'invalid_grant' | 'invalid_client' | 'revoked'

/** The state of one set of tokens. */
export type TokenState =
  | { readonly kind: 'held'; readonly tokens: OAuthTokens }
  /** The refresh token was or will be sent, and no response is stored yet. */
  | { readonly kind: 'refreshing'; readonly tokens: OAuthTokens; readonly intent: RefreshIntent }
  | { readonly kind: 'dropped'; readonly reason: DropReason }

/** The stored value of an {@link AuthKey}, as plain JSON. Dropped records stay, so that no version is used twice. */
export type TokenRecord = {
  /** Incremented with every write; compared by `saveTokens`. */
  readonly version: number
  /** Incremented with every set of tokens. At most one refresh is sent per generation. */
  readonly generation: number
  /** When this generation was received, in milliseconds since 1970. */
  readonly obtainedAtMs: number
  /** The private key that the tokens are bound to, if any. */
  readonly dpopKey?: JsonWebKey
  /** The client that the tokens were issued to; only it can refresh them. Missing if the client is configured by hand. */
  readonly client?: ClientInformation
  /** The tokens, or why they were dropped. */
  readonly state: TokenState
}

/** A sign-in in progress, as plain JSON. Stored between the redirect of the person and the callback. */
export type PendingFlow = {
  /** The `state` parameter, which identifies the flow. */
  readonly state: string
  /** The PKCE verifier. */
  readonly codeVerifier: string
  /** The issuer of the authorization server. */
  readonly issuer: string
  /** Whether the authorization server declares to send `iss` in callbacks (RFC 9207). */
  readonly issuerIsPromised: boolean
  /** Where the code is exchanged. */
  readonly tokenEndpoint: string
  /** The redirect URI of the sign-in. */
  readonly redirectUri: string
  /** The `resource` parameter; missing for a server of 2025-03-26. */
  readonly resource?: string
  /** The client that started the sign-in. */
  readonly clientId: string
  /** The authentication method of the client at the token endpoint. */
  readonly clientAuthentication: string
  /** The principal who signs in. */
  readonly principal: string
  /** The URL of the MCP server. */
  readonly serverUrl: string
  /** The requested scope, if any. */
  readonly requestedScope?: string
  /** The private key to bind the tokens to, if any. */
  readonly dpopKey?: JsonWebKey
  /** Set if tokens that are not bound to the key are refused. */
  readonly requiresDpop?: true
  /** When the sign-in started, in milliseconds since 1970. */
  readonly startedAtMs: number
}

/** The discovered authorization server of an MCP server, so that its tokens are found without a network request. */
export type KnownServer = {
  /** The issuer of the authorization server. */
  readonly issuer: string
  /** The resource that the tokens are for. */
  readonly resource: string
  /** Set for a server of 2025-03-26, which gets no `resource` parameter. */
  readonly isLegacy?: true
  /** Every scope requested so far: requested again with a new one, and not requested twice after a refusal. */
  readonly requestedScope?: string
}

/** Options of `AuthStore.lease`. */
export type LeaseOptions = {
  /** Stops the waiting and rejects with its reason. Has no effect once the lease is granted. */
  readonly signal?: AbortSignal
}

/** Persists the state of authorization. Operations reject with an `McpAuthError` of code `storage_failed`. */
export interface AuthStore {
  /** The client at this issuer: configured by hand, or stored from a registration. */
  clientInformation(issuer: string): Promise<ClientInformation | undefined>
  /** Stores a registered client; undefined removes it. Omit it if clients are only configured by hand. */
  saveClientInformation?(issuer: string, information: ClientInformation | undefined): Promise<void>
  /** The stored record of a key. */
  tokens(key: AuthKey): Promise<TokenRecord | undefined>
  /**
   * Writes the record if the stored one has the expected version (undefined: if none is stored); else resolves with
   * false and changes nothing. A write that resolved with true must survive a crash.
   */
  saveTokens(key: AuthKey, record: TokenRecord, expectedVersion: number | undefined): Promise<boolean>
  /**
   * Runs `work` exclusively among all processes that share this store. A process that dies loses its lease. Leases only
   * avoid failed attempts; `saveTokens` guarantees that no refresh token is sent twice.
   */
  lease<T>(key: AuthKey, work: () => Promise<T>, options?: LeaseOptions): Promise<T>
  /** Stores a sign-in in progress. */
  saveFlow(flow: PendingFlow): Promise<void>
  /** Returns and removes a flow; undefined if it is unknown, already taken, or expired. */
  takeFlow(state: string): Promise<PendingFlow | undefined>
  /** The discovered authorization server of an MCP server. */
  knownServer(serverUrl: string, principal: string): Promise<KnownServer | undefined>
  /** Stores it; undefined removes it. */
  saveKnownServer(serverUrl: string, principal: string, known: KnownServer | undefined): Promise<void>
}

/** A store, a description of the client, and a way to redirect a person. Implemented by the host application. */
export interface McpAuthProvider extends AuthStore {
  /** The redirect URL of sign-ins, or a function that prepares one. Default: none, for machines. */
  readonly redirectUrl?: string | URL | (() => Promise<string | URL>)
  /** Describes this client to authorization servers. */
  readonly clientMetadata: ClientMetadata
  /** The URL of this client's metadata document, used as client id by servers that support it. Default: none. */
  readonly clientMetadataUrl?: string
  /** Whether the authorization server accepts a refresh token that was sent before. Default: false. */
  readonly replayAllowed?: boolean
  /**
   * Redirects the person to the URL. A host that waits for the callback itself resolves with the callback URL; others
   * resolve with nothing and call `finishMcpAuth` later.
   */
  redirectToAuthorization(
    url: URL,
    options: { readonly signal?: AbortSignal },
  ): void | string | URL | Promise<void | string | URL>
}
