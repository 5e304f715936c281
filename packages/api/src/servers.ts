/** `operator`: from the file the gateway was started with, read-only here. `user`: from the owner's saved settings. */
export type ServerScope = 'operator' | 'user'

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

export interface ServerStatus {
  readonly name: string
  readonly scope: ServerScope
  readonly transport: 'stdio' | 'http' | 'sse' | 'ws'
  readonly state: ServerState
  readonly toolCount: number
  readonly serverInfo?: { readonly name: string; readonly version: string }
  readonly protocolVersion?: string
  readonly startedInMs?: number
  /** Why the server is not ready, in one sentence. */
  readonly error?: string
  /** The last lines the server wrote to stderr, oldest first, when there is an error to explain. */
  readonly stderr?: readonly string[]
}

export interface ServersResponse {
  readonly servers: readonly ServerStatus[]
}

/** Answer of `POST /api/servers/:name/restart`: the server is on its way, and its status says what becomes of it. */
export interface RestartResponse {
  readonly success: true
}
