/** `operator`: from the gateway's configuration file, read-only. `user`: from the owner's saved settings. */
export type ServerScope = 'operator' | 'user'

/** State of a server. `down` ran before and lost its connection; `failed` never became ready. */
export type ServerState =
  | 'stopped'
  | 'starting'
  | 'ready'
  | 'degraded'
  | 'down'
  | 'failed'
  | 'disabled'
  | 'untrusted'
  | 'unauthorized'

/** A changed definition that did not start. */
export interface FailedReplacement {
  /** Why it did not start, in one sentence. */
  readonly error: string
  /** Last lines of its stderr, oldest first. */
  readonly stderr?: readonly string[]
}

/** Status of one server. */
export interface ServerStatus {
  /** Name of the server, unique per owner. */
  readonly name: string
  /** Who defined the server. */
  readonly scope: ServerScope
  /** Transport of the connection. */
  readonly transport: 'stdio' | 'http' | 'sse' | 'ws'
  /** Current state. */
  readonly state: ServerState
  /** Number of tools that the server lists. */
  readonly toolCount: number
  /** Name and version that the server reports. */
  readonly serverInfo?: { readonly name: string; readonly version: string }
  /** Negotiated MCP revision. */
  readonly protocolVersion?: string
  /** Duration of the last start in milliseconds. */
  readonly startedInMs?: number
  /** Why the server is not ready, in one sentence. */
  readonly error?: string
  /** Last lines of stderr, oldest first. Present only with `error`. */
  readonly stderr?: readonly string[]
  /** Present while the server runs its previous definition because the changed one did not start. */
  readonly failedReplacement?: FailedReplacement
}

/** Response of `GET /api/servers`. */
export interface ServersResponse {
  /** Every server of the caller, sorted by name. */
  readonly servers: readonly ServerStatus[]
}

/** Response of `POST /api/servers/:name/restart`, sent before the server has started. */
export interface RestartResponse {
  /** Always true. */
  readonly success: true
}
