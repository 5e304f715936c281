/** OAuth documents, reduced to the members that are used or stored. */

/** Client metadata (RFC 7591 section 2). */
export interface ClientMetadata {
  /** The name that people see. */
  readonly client_name?: string
  /** The home page of the client. */
  readonly client_uri?: string
  /** The logo of the client. */
  readonly logo_uri?: string
  /** The redirect URIs of the client. */
  readonly redirect_uris?: readonly string[]
  /** The grant types that the client uses. */
  readonly grant_types?: readonly string[]
  /** The response types that the client uses. */
  readonly response_types?: readonly string[]
  /** The authentication method at the token endpoint. */
  readonly token_endpoint_auth_method?: string
  /** The algorithm of client assertions. */
  readonly token_endpoint_auth_signing_alg?: string
  /** Whether the client runs on a device or on a web server. */
  readonly application_type?: 'native' | 'web'
  /** The scopes that the client may request. */
  readonly scope?: string
  /** Contact addresses of the operator. */
  readonly contacts?: readonly string[]
  /** The privacy policy. */
  readonly policy_uri?: string
  /** The terms of service. */
  readonly tos_uri?: string
  /** The URL of the public keys. */
  readonly jwks_uri?: string
  /** The public keys. */
  readonly jwks?: { readonly keys: readonly JsonWebKey[] }
  /** The id of the software. */
  readonly software_id?: string
  /** The version of the software. */
  readonly software_version?: string
  /** Whether the client always uses DPoP. */
  readonly dpop_bound_access_tokens?: boolean
}

/** A client that an authorization server knows: configured by hand, or registered dynamically. */
export interface ClientInformation {
  /** The client id. */
  readonly client_id: string
  /** The client secret, if there is one. */
  readonly client_secret?: string
  /** When the client was registered, in seconds since 1970. */
  readonly client_id_issued_at?: number
  /** When the secret expires, in seconds since 1970; 0 means never. */
  readonly client_secret_expires_at?: number
  /** The authentication method at the token endpoint. */
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
