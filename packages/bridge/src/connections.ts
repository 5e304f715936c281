/** Credentials, transports, quotas and processes of the connections of a bridge. */

export type { DirectRequestOptions, DirectServer } from './direct-server.ts'
export type {
  Credential,
  CredentialsOf,
  MakeAuthorization,
  TransportOf,
} from './upstream/connections/open-connection.ts'
export type { ServerProcess, ServerProcessState } from './upstream/connections/processes.ts'
export type { ConnectionPermit, ConnectionRequest } from './upstream/limits/connection-limiter.ts'
export { type ConnectionQuotas, createQuotas, type QuotaLimits } from './upstream/limits/quotas.ts'
