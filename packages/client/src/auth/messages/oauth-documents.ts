/** OAuth documents, reduced to the members that are used or stored. */

/** Client metadata (RFC 7591 section 2). */
export interface ClientMetadata {
  readonly client_name?: string
  readonly client_uri?: string
  readonly logo_uri?: string
  readonly redirect_uris?: readonly string[]
  readonly grant_types?: readonly string[]
  readonly response_types?: readonly string[]
  readonly token_endpoint_auth_method?: string
  readonly token_endpoint_auth_signing_alg?: string
  readonly application_type?: 'native' | 'web'
  readonly scope?: string
  readonly contacts?: readonly string[]
  readonly policy_uri?: string
  readonly tos_uri?: string
  readonly jwks_uri?: string
  readonly jwks?: { readonly keys: readonly JsonWebKey[] }
  readonly software_id?: string
  readonly software_version?: string
  readonly dpop_bound_access_tokens?: boolean
}

/** A client that an authorization server knows: configured by hand, or registered dynamically. */
export interface ClientInformation {
  readonly client_id: string
  readonly client_secret?: string
  readonly client_id_issued_at?: number
  /** Seconds since 1970; 0 means never. */
  readonly client_secret_expires_at?: number
  readonly token_endpoint_auth_method?: string
  /** The redirect URIs that the client was registered with. */
  readonly redirect_uris?: readonly string[]
}

/** Tokens as they are stored. */
export interface OAuthTokens {
  readonly access_token: string
  readonly token_type: 'Bearer' | 'DPoP'
  /** Milliseconds since 1970 by the local clock; missing if the server did not report an expiry. */
  readonly expiresAtMs?: number
  readonly refresh_token?: string
  /** The granted scope, if known. */
  readonly scope?: string
  readonly id_token?: string
}

/** Protected resource metadata (RFC 9728 section 2). */
export interface ProtectedResourceMetadata {
  /** Verbatim, since `resource` parameters must repeat it. */
  readonly resource: string
  /** Empty if the resource names none. */
  readonly authorization_servers: readonly string[]
  readonly scopes_supported?: readonly string[]
  readonly bearer_methods_supported?: readonly string[]
  readonly dpop_signing_alg_values_supported?: readonly string[]
  readonly dpop_bound_access_tokens_required?: boolean
}

/** Authorization server metadata (RFC 8414 section 2, OpenID Connect Discovery section 3). */
export interface AuthorizationServerMetadata {
  /** Verbatim: `iss` is compared with it byte by byte. */
  readonly issuer: string
  /** Missing only if no grant needs a person. */
  readonly authorization_endpoint?: string
  readonly token_endpoint: string
  readonly registration_endpoint?: string
  readonly revocation_endpoint?: string
  readonly scopes_supported?: readonly string[]
  readonly response_types_supported?: readonly string[]
  readonly grant_types_supported?: readonly string[]
  readonly token_endpoint_auth_methods_supported?: readonly string[]
  readonly token_endpoint_auth_signing_alg_values_supported?: readonly string[]
  readonly revocation_endpoint_auth_methods_supported?: readonly string[]
  readonly code_challenge_methods_supported?: readonly string[]
  readonly client_id_metadata_document_supported?: boolean
  readonly authorization_response_iss_parameter_supported?: boolean
  readonly dpop_signing_alg_values_supported?: readonly string[]
  readonly authorization_grant_profiles_supported?: readonly string[]
}

/** A JSON Web Key (RFC 7517). */
export interface JsonWebKey {
  readonly kty: string
  readonly kid?: string
  readonly alg?: string
  readonly use?: string
  readonly crv?: string
  readonly x?: string
  readonly y?: string
  readonly d?: string
  readonly n?: string
  readonly e?: string
  readonly p?: string
  readonly q?: string
  readonly dp?: string
  readonly dq?: string
  readonly qi?: string
}
