import type {
  ClientInformation,
  ClientMetadata,
  JsonWebKey,
  OAuthTokens,
} from '../messages/oauth-documents.ts'

/** Whose tokens: for which resource, from which authorization server, for whom. */
export type AuthKey = {
  readonly issuer: string
  /** As it is sent in `resource` parameters, byte by byte. */
  readonly resource: string
  /** Who asks. One store may serve many people; where there is one, any fixed name will do. */
  readonly principal: string
}

/** Says that a refresh token is about to be sent. Kept before sending, so that a crash cannot hide it. */
export type RefreshIntent = {
  /** The generation whose refresh token is sent. */
  readonly generation: number
  /** Tells this attempt from every other. */
  readonly nonce: string
  readonly atMs: number
  /** Who sends it, in words for a person. Nothing is decided by it. */
  readonly holder: string
}

/** Why there are no tokens any more. */
export type DropReason = 'invalid_grant' | 'invalid_client' | 'revoked'

/** What is known about one set of tokens. */
export type TokenState =
  | { readonly kind: 'held'; readonly tokens: OAuthTokens }
  /** The refresh token was or will be sent, and no answer has been stored yet. */
  | { readonly kind: 'refreshing'; readonly tokens: OAuthTokens; readonly intent: RefreshIntent }
  | { readonly kind: 'dropped'; readonly reason: DropReason }

/** What a store keeps under an {@link AuthKey}, as plain JSON. A dropped record stays, so that no version comes twice. */
export type TokenRecord = {
  /** One more with every write. Compare-and-swap is on this number. */
  readonly version: number
  /** One more with every set of tokens. At most one refresh is sent for each. */
  readonly generation: number
  /** When this generation was received. */
  readonly obtainedAtMs: number
  /** The private key that the tokens are bound to, if they are. */
  readonly dpopKey?: JsonWebKey
  /**
   * The client that the tokens were given to, which nobody else can refresh. Missing where it was configured by hand: then
   * it is what the configuration says.
   */
  readonly client?: ClientInformation
  readonly state: TokenState
}

/** What has to survive between sending a person to the authorization server and their return. Plain JSON. */
export type PendingFlow = {
  readonly state: string
  readonly codeVerifier: string
  readonly issuer: string
  /** Whether the authorization server promised `iss` in its callbacks (RFC 9207). */
  readonly issuerIsPromised: boolean
  readonly tokenEndpoint: string
  readonly redirectUri: string
  /** Missing where a server of 2025-03-26 names none, and then not sent. */
  readonly resource?: string
  readonly clientId: string
  /** How the client says who it is when it sends the code. */
  readonly clientAuthentication: string
  readonly principal: string
  /** The address of the MCP server that the person is logging in for. */
  readonly serverUrl: string
  readonly requestedScope?: string
  readonly dpopKey?: JsonWebKey
  /** Set where tokens that are not bound to that key are refused. */
  readonly requiresDpop?: true
  readonly startedAtMs: number
}

/** What was found out about an MCP server, so that its tokens are found again without asking the network. */
export type KnownServer = {
  readonly issuer: string
  readonly resource: string
  /** Set for a server of 2025-03-26, which is told of no resource. */
  readonly isLegacy?: true
  /** All that was ever asked for, so that nothing is lost when more is needed, and nothing asked for in vain again. */
  readonly requestedScope?: string
}

/** How a lease is waited for. */
export type LeaseOptions = {
  /** Ends the waiting with its own reason. A lease that was granted is not taken away. */
  readonly signal?: AbortSignal
}

/** Keeps what authorization must not forget. Rejects with an `McpAuthError` of code `storage_failed`. */
export interface AuthStore {
  /** The client to be at this issuer: configured by hand, or kept from a registration. */
  clientInformation(issuer: string): Promise<ClientInformation | undefined>
  /** Missing where clients are only configured by hand. Undefined forgets the client. */
  saveClientInformation?(issuer: string, information: ClientInformation | undefined): Promise<void>
  tokens(key: AuthKey): Promise<TokenRecord | undefined>
  /**
   * Writes the record if what is stored still has the expected version (undefined: if nothing is stored), and
   * otherwise changes nothing and answers false. What was answered true survives a crash.
   */
  saveTokens(key: AuthKey, record: TokenRecord, expectedVersion: number | undefined): Promise<boolean>
  /**
   * Runs `work` alone among all who share this store. A holder that dies gives up its lease. Leases spare others a
   * vain attempt; that no refresh token is sent twice rests on `saveTokens`.
   */
  lease<T>(key: AuthKey, work: () => Promise<T>, options?: LeaseOptions): Promise<T>
  saveFlow(flow: PendingFlow): Promise<void>
  /** Hands a flow out once; undefined if it is unknown, was taken before, or is too old. */
  takeFlow(state: string): Promise<PendingFlow | undefined>
  knownServer(serverUrl: string, principal: string): Promise<KnownServer | undefined>
  saveKnownServer(serverUrl: string, principal: string, known: KnownServer | undefined): Promise<void>
}

/** What a host implements to have its people log in: a store, a name, and a way to send a person somewhere. */
export interface McpAuthProvider extends AuthStore {
  /** Where the authorization server sends the person back to, or what gets that ready. Missing for machines. */
  readonly redirectUrl?: string | URL | (() => Promise<string | URL>)
  readonly clientMetadata: ClientMetadata
  /** The address of this client's metadata document, for servers that take it as the client's id. */
  readonly clientMetadataUrl?: string
  /** Whether the authorization server is known to accept a refresh token that was sent before. Default: no. */
  readonly replayAllowed?: boolean
  /**
   * Sends the person there. A host that waits for their return itself resolves with the address that they were sent
   * back to; elsewhere the host calls `finishMcpAuth` when they are back.
   */
  redirectToAuthorization(
    url: URL,
    options: { readonly signal?: AbortSignal },
  ): void | string | URL | Promise<void | string | URL>
}
