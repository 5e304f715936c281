/** Authorization of requests to one server, and the guard on addresses that a server names. Safe to load in a browser. */

export type {
  ClientInformation,
  ClientMetadata,
  JsonWebKey,
  OAuthTokens,
} from './auth/messages/oauth-documents.ts'
export type { AuthRequest, AuthResponse, AuthSend, AuthStage } from './auth/messages/auth-request.ts'
export {
  McpAuthError,
  type McpAuthErrorCode,
  type McpAuthErrorOptions,
} from './auth/messages/mcp-auth-error.ts'
export { finishMcpAuth, type FinishMcpAuthOptions } from './auth/authorization/finish-mcp-auth.ts'
export {
  type ClientCredentials,
  clientCredentialsAuthorization,
  enterpriseAuthorization,
  type MachineAuthorizationOptions,
  workloadAuthorization,
} from './auth/authorization/machine-authorizations.ts'
export type { IdentityProviderSource, MachineClient, WorkloadToken } from './auth/grants/machine-grants.ts'
export {
  memoryAuthProvider,
  memoryAuthStore,
  type AuthProviderOptions,
  createAuthProvider,
} from './auth/stores/memory-auth-store.ts'
export { type AuthorizationOptions, McpOAuth, type McpOAuthOptions } from './auth/authorization/mcp-oauth.ts'
export type {
  AuthKey,
  AuthStore,
  DropReason,
  KnownServer,
  LeaseOptions,
  McpAuthProvider,
  PendingFlow,
  RefreshIntent,
  TokenRecord,
  TokenState,
} from './auth/stores/auth-store.ts'
export { createAuthSend } from './auth/http/create-auth-send.ts'
export type { AuthSendOptions, GuardDiagnostic } from './auth/http/send-options.ts'
export {
  importSigningKey,
  type JwsAlgorithm,
  type SigningKey,
  type SigningKeyOptions,
} from './auth/crypto/signing-key.ts'
export { webAuthStore, type WebAuthStoreOptions, type WebStorage } from './auth/stores/web-auth-store.ts'
export type { ResolveHost, TlsOptions } from './network/connection-options.ts'
export { assertSafeAuthUrl } from './url-guard/assert-safe-url.ts'
export { type Ipv4Bytes, parseCanonicalIpv4 } from './url-guard/ipv4.ts'
export { allowInsecureHttp, allowLoopback, type UrlGuardOptions } from './url-guard/options.ts'
export { type BlockedRange, McpSsrfError, type SsrfReason } from './url-guard/ssrf-error.ts'
