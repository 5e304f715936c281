export { type EventStreamState, type FollowEventsOptions, followEvents } from './follow-events.ts'
export {
  createGatewayClient,
  type GatewayClient,
  type GatewayRequestOptions,
  type SignOutOptions,
} from './gateway-client.ts'
export type { GatewayClientOptions } from './gateway-connection.ts'
export { GatewayError, type GatewayErrorDetails, type GatewayErrorKind } from './gateway-error.ts'
export {
  createGatewayStore,
  type GatewayStore,
  type GatewayStoreClient,
  type LiveSource,
} from './live/gateway-store.ts'
export {
  GatewayProvider,
  type GatewayProviderProps,
  type Live,
  type LiveCalls,
  type LiveInbox,
  type LiveServers,
  type LiveTools,
  type ResourceUpdates,
  useActivity,
  useCalls,
  useConnection,
  useGateway,
  useGatewayEvents,
  useInbox,
  usePrompts,
  useResources,
  useResourceUpdates,
  useServers,
  useTools,
} from './live/hooks.ts'
export type { LiveSnapshot, LiveValue } from './live/live-value.ts'
export { LocalSettingsError, type McpServers, type SettingsStorage } from './local-settings.ts'
export {
  createSyncStore,
  type SyncConflict,
  type SyncSaveOptions,
  type SyncSnapshot,
  type SyncStatus,
  type SyncStore,
  type SyncStoreOptions,
} from './sync-store.ts'
export { type MCPSync, type UseMCPSyncOptions, useMCPSync } from './use-mcp-sync.ts'
