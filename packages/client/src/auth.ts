/** OAuth authorization for one MCP server, and the guard for URLs that a server names. Safe to load in a browser. */

export { finishMcpAuth, type FinishMcpAuthOptions } from './auth/authorization/finish-mcp-auth.ts'
export {
  type ClientCredentials,
  clientCredentialsAuthorization,
  enterpriseAuthorization,
  type MachineAuthorizationOptions,
  workloadAuthorization,
} from './auth/authorization/machine-authorizations.ts'
export { McpOAuth, type McpOAuthOptions } from './auth/authorization/mcp-oauth.ts'
export {
  type DiscoverAuthorizationOptions,
  type DiscoveredAuthorization,
  discoverAuthorization,
} from './auth/discovery/discover-authorization.ts'
export { type McpChallenge, readChallenge } from './auth/discovery/challenge.ts'
export { importSigningKey, type SigningKey } from './auth/crypto/signing-key.ts'
export type { AuthSendOptions } from './auth/http/send-options.ts'
export { McpAuthError, type McpAuthErrorCode } from './auth/messages/mcp-auth-error.ts'
export type { ClientInformation, ClientMetadata } from './auth/messages/oauth-documents.ts'
export type {
  AuthKey,
  AuthStore,
  KnownServer,
  McpAuthProvider,
  PendingFlow,
  TokenRecord,
} from './auth/stores/auth-store.ts'
export {
  type AuthProviderOptions,
  createAuthProvider,
  memoryAuthProvider,
  memoryAuthStore,
} from './auth/stores/memory-auth-store.ts'
export { webAuthStore, type WebAuthStoreOptions, type WebStorage } from './auth/stores/web-auth-store.ts'
export { assertSafeAuthUrl } from './url-guard/assert-safe-url.ts'
export { allowInsecureHttp, allowLoopback, type UrlGuardOptions } from './url-guard/options.ts'
export { McpSsrfError, type SsrfReason } from './url-guard/ssrf-error.ts'
