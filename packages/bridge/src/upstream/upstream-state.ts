import { type Implementation, McpError, McpUnauthorizedError, type Tool } from '@toolbridge/client'
import { messageOf, shortened } from '../text/message-of.ts'
import { DeniedError } from '../errors.ts'
import { isAuthError } from '../auth-error.ts'
import type { ServerSpec, SpecSource } from '../config/spec/server-spec.ts'
import type { UpstreamStateName } from '../journal/events/events.ts'
import type { Connection } from './connections/connection.ts'
import { stderrOf } from './connections/launch.ts'

/** A server with an open connection. */
export interface RunningServer {
  readonly connection: Connection
  readonly startedInMs: number
}

/** The state of a server, by its connection for the bridge's own origin. */
export type UpstreamState =
  /** `stopped`: not used yet, or closed when idle. */
  | { readonly kind: 'disabled' | 'stopped' | 'starting' }
  | { readonly kind: 'ready'; readonly running: RunningServer }
  /** Running, but a request went unanswered or a list could not be read. */
  | { readonly kind: 'degraded'; readonly running: RunningServer; readonly error: unknown }
  /** Was ready; its tools stay listed, and it restarts at `retryAt`. */
  | { readonly kind: 'down'; readonly error: unknown; readonly retryAt: Date }
  /** Failed to start, or used up its restarts. A call after `retryAt` starts it again. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly retryAt?: Date }
  /** Defined by a project file, and not approved. */
  | { readonly kind: 'untrusted'; readonly error: unknown }
  /** Needs other credentials, or a sign-in. */
  | { readonly kind: 'unauthorized'; readonly error: unknown; readonly running?: RunningServer }

/** A changed definition that could not be started. The server runs the previous definition. */
export interface FailedReplacement {
  /** Why it could not be started. */
  readonly error: string
  /** Last lines of its stderr, oldest first. */
  readonly stderr?: readonly string[]
  /** Time of the failure. */
  readonly since: Date
}

/** The current status of one server. */
export interface UpstreamStatus {
  /** Name of the server. */
  readonly name: string
  /** Transport of its definition. */
  readonly transport: ServerSpec['transport']
  /** Current state. */
  readonly state: UpstreamStateName
  /** Start of the current state. */
  readonly since: Date
  /** Number of its tools in the catalog. */
  readonly toolCount: number
  /** The server's own tool names, including those that the definition filters out. */
  readonly tools: readonly string[]
  /** Number of restarts after the server exited. */
  readonly restarts: number
  /** Name and version that the server reports. Untrusted text. */
  readonly serverInfo?: Implementation
  /** The negotiated revision. */
  readonly protocolVersion?: string
  /** Duration of the last start. */
  readonly startedInMs?: number
  /** Why the server is not ready. */
  readonly error?: string
  /** Last lines of stderr, oldest first. Set together with `error`. */
  readonly stderr?: readonly string[]
  /** Time of the next restart, or after which a call restarts it. */
  readonly retryAt?: Date
  /** Process id, for a server on this machine. */
  readonly pid?: number
  /** Where the definition was written. */
  readonly source: SpecSource
  /** Set while the server runs its previous definition because the changed one could not be started. */
  readonly failedReplacement?: FailedReplacement
}

/** Input of `statusOf`. */
export interface StatusFacts {
  readonly spec: ServerSpec
  readonly state: UpstreamState
  readonly since: Date
  readonly tools: readonly Tool[]
  readonly restarts: number
}

/** Describes a server's state. */
export function statusOf({ spec, state, since, tools, restarts }: StatusFacts): UpstreamStatus {
  const { name, transport, source } = spec
  return {
    name,
    transport,
    state: state.kind,
    since,
    toolCount: tools.length,
    tools: tools.map((tool) => tool.name),
    restarts,
    source,
    ...('running' in state && state.running !== undefined ? describeRunning(state.running) : {}),
    ...('error' in state ? describeError(state.error) : {}),
    ...('retryAt' in state && state.retryAt !== undefined ? { retryAt: state.retryAt } : {}),
  }
}

function describeRunning({ connection, startedInMs }: RunningServer): Partial<UpstreamStatus> {
  const { description, pid } = connection
  const { serverInfo, protocolVersion } = description
  return { serverInfo, protocolVersion, startedInMs, ...(pid === undefined ? {} : { pid }) }
}

function describeError(error: unknown): Partial<UpstreamStatus> {
  const stderr = stderrOf(error)
  return { error: shortened(messageOf(error)), ...(stderr.length === 0 ? {} : { stderr }) }
}

/** Names the server in an error of the connection. Other errors name it themselves. */
export function explained(server: string, what: string, error: unknown): unknown {
  if (!(error instanceof McpError) && !isAuthError(error)) return error
  const message = `server "${server}" ${what}: ${error.message}`
  if (isAuthError(error)) return new McpUnauthorizedError(message, { cause: error })
  if (error instanceof McpUnauthorizedError) {
    const { authorizationUrl } = error
    return new McpUnauthorizedError(message, { authorizationUrl, cause: error })
  }
  const { kind, code, data } = error
  return new McpError(message, { kind, code, data, cause: error })
}

/** Whether the server refused the credentials, or none could be obtained. */
export function isUnauthorized(error: unknown): boolean {
  return isAuthError(error) || (error instanceof McpError && error.kind === 'unauthorized')
}

/** Whether the server is not running and should be. */
export function isGone({ kind }: UpstreamState): boolean {
  return ['down', 'failed', 'untrusted', 'unauthorized'].includes(kind)
}

/** The error of a call to a server that is disabled. */
export function disabledError({ name, source }: ServerSpec): DeniedError {
  return new DeniedError(`server "${name}" is disabled; enable it in ${source.file}`, { code: 'denied' })
}

/** Names the setting in the error of a call that timed out. */
export function namingTimeout(error: unknown): unknown {
  if (!(error instanceof McpError) || error.kind !== 'timeout') return error
  const { kind, code, data } = error
  const message = error.message.replace(' ms)', ' ms, timeouts.callMs)')
  return new McpError(message, { kind, code, data, cause: error })
}
