/** Authorization of requests to one server, and the guard on addresses that a server names. Safe to load in a browser. */

export type { ClientInformation, ClientMetadata, JsonWebKey, OAuthTokens } from './auth/documents.ts'
export {
  type AuthRequest,
  type AuthResponse,
  type AuthSend,
  type AuthStage,
  McpAuthError,
  type McpAuthErrorCode,
  type McpAuthErrorOptions,
} from './auth/exchange.ts'
export { finishMcpAuth, type FinishMcpAuthOptions } from './auth/finish-auth.ts'
export {
  type ClientCredentials,
  clientCredentialsAuthorization,
  enterpriseAuthorization,
  type MachineOptions,
  workloadAuthorization,
} from './auth/machine-authorizations.ts'
export type { IdentityProviderSource, MachineClient, WorkloadToken } from './auth/machine-grants.ts'
export {
  memoryAuthProvider,
  memoryAuthStore,
  type ProviderOptions,
  withStore,
} from './auth/memory-provider.ts'
export { type AuthorizationOptions, McpOAuth, type McpOAuthOptions } from './auth/oauth.ts'
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
} from './auth/provider.ts'
export { createAuthSend } from './auth/send.ts'
export type { AuthSendOptions, GuardDiagnostic } from './auth/send-options.ts'
export {
  importSigningKey,
  type JwsAlgorithm,
  type SigningKey,
  type SigningKeyOptions,
} from './auth/signing-key.ts'
export { webAuthStore, type WebAuthStoreOptions, type WebStorage } from './auth/web-store.ts'
export type { ResolveHost, TlsOptions } from './connections/options.ts'
export { assertSafeAuthUrl } from './url-guard.ts'
export { type Ipv4Bytes, parseCanonicalIpv4 } from './url-guard/ipv4.ts'
export { allowInsecureHttp, allowLoopback, type UrlGuardOptions } from './url-guard/options.ts'
export { type BlockedRange, McpSsrfError, type SsrfReason } from './url-guard/ssrf-error.ts'
