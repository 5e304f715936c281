import { z } from 'zod'
import { type SaveConditions, type ServerEntry, saveConditionFields } from './config.ts'

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

/** What a definition amounts to, without starting it. Has names, but no values of variables, headers or arguments. */
export interface DefinitionReport {
  /** `on`: it starts. `off`: it is disabled. `untrusted`, `refused`, `failing`: it cannot start. */
  readonly state: 'on' | 'off' | 'untrusted' | 'refused' | 'failing'
  /** Why it does not start. Empty if it does. */
  readonly reasons: readonly { readonly code: string; readonly message: string; readonly fix: string }[]
  /** What would run. Omitted if the definition is refused. */
  readonly definition?: {
    /** The program to start, as written. `path` and `isFound` are omitted if the gateway may not look for it. */
    readonly program?: {
      readonly command: string
      readonly path?: string
      readonly isFound?: boolean
      readonly argumentCount: number
    }
    /** URL without credentials and keys. */
    readonly url?: string
    /** Names of the headers that are sent. */
    readonly headers?: readonly string[]
    /** Variables by name: those that have no value, and what a person or a store has to supply. */
    readonly variables: {
      readonly missing: readonly string[]
      readonly missingBecomes: 'empty' | 'keep' | 'error' | 'drop'
      readonly inputs: readonly string[]
      readonly secrets: readonly string[]
    }
    /** Filters of tools; without `allow`, all are listed that `deny` does not name. */
    readonly tools: {
      readonly allow?: readonly string[]
      readonly deny?: readonly string[]
      readonly readOnly: boolean
    }
    /** Timeouts in milliseconds. */
    readonly timeouts: { readonly startMs: number; readonly callMs: number }
  }
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
  /** Start of the current state. */
  readonly since?: string
  /** How often the gateway restarted the server automatically after it exited. */
  readonly restarts?: number
  /** Time of the next restart, or after which a call restarts it. */
  readonly retryAt?: string
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
  /** What the definition amounts to. Only for servers of the scope `user`. */
  readonly report?: DefinitionReport
  /** Present if the server asks for a sign-in that the caller can begin: `POST /api/servers/:name/sign-in`. */
  readonly canSignIn?: true
}

/** Response of `GET /api/servers`. */
export interface ServersResponse {
  /** Every server of the caller, sorted by name. */
  readonly servers: readonly ServerStatus[]
}

/** Response of `GET /api/servers/:name`. */
export interface SavedServerResponse {
  /** Name of the server. */
  readonly name: string
  /** The saved server, with references in place of everything that may be a secret. */
  readonly server: ServerEntry
  /** Current version of the saved servers. */
  readonly version: number
}

/** Body of `PUT /api/servers/:name`. */
export interface SaveServerRequest extends SaveConditions {
  /** The server. It is added, or replaces the saved server of this name. */
  readonly server: ServerEntry
}

const notAnObject = 'must be an object: { … }'

/** Schema of `SaveServerRequest`. The gateway checks the fields of the server. */
export const saveServerRequestSchema: z.ZodType<
  SaveConditions & { readonly server: Readonly<Record<string, unknown>> }
> = z.strictObject(
  { server: z.looseObject({}, { error: notAnObject }), ...saveConditionFields },
  {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? 'must contain only "server", "version" and "confirmedDestinations"'
        : notAnObject,
  },
)

/** Body of `PATCH /api/servers/:name`. Everything else of the server stays as it is, with its secrets. */
export interface ChangeServerRequest {
  /** New name of the server. Default: unchanged. */
  readonly name?: string | undefined
  /** True to stop the server, false to start it. Default: unchanged. */
  readonly disabled?: boolean | undefined
  /** Expected current version; any other current version is a 409. Default: any. */
  readonly version?: number | undefined
}

/** Schema of `ChangeServerRequest`. */
export const changeServerRequestSchema: z.ZodType<ChangeServerRequest> = z.strictObject(
  {
    name: z.string({ error: 'must be a string' }).optional(),
    disabled: z.boolean({ error: 'must be true or false' }).optional(),
    version: saveConditionFields.version,
  },
  {
    error: ({ code }) =>
      code === 'unrecognized_keys' ? 'must contain only "name", "disabled" and "version"' : notAnObject,
  },
)

/** Response of `POST /api/servers/:name/restart`, sent before the server has started. */
export interface RestartResponse {
  /** Always true. */
  readonly success: true
}
