export type { HostFiles } from './settings/found-servers.ts'
export { createApp } from './app.ts'
export { parseCheckpoint } from '@toolbridge/lockbox'
export type { GatewayEnv } from './http/gateway-env.ts'
export type { GatewayLimits } from './limits/gateway-limits.ts'
export type { ToolsMode } from './mcp/tools-mode.ts'
export type { OperationOptions } from './operations.ts'
export { requestSignInUrl } from './reuse/sign-in-url.ts'
export type { SandboxOptions } from './sandbox/sandbox-options.ts'
export type { ProgramRules } from './sandbox/sandboxed-program.ts'
export { createServices, type GatewayServices, type ServiceOptions } from './services.ts'
export type { IssuerSignIn } from './sign-in/oidc/code-exchange.ts'
export type { OidcOptions, OidcRoles } from './sign-in/oidc/oidc-options.ts'
export {
  type Authenticate,
  isOwnerId,
  type Principal,
  type Role,
  type TokenAudience,
} from './sign-in/principal.ts'
export type { ProtectedResource } from './sign-in/protected-resource.ts'
export { type Gateway, type GatewayOptions, startGateway } from './start-gateway.ts'
export type { StoreOptions } from './store/existing-store.ts'
export { openStoreAudit, type StoreAudit } from './store/store-audit.ts'
export { openStoreKeys, type RotateStoreOptions, type StoreKeys } from './store/store-keys.ts'
