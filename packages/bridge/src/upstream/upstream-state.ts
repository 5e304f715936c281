import { type Implementation, McpError, McpUnauthorizedError, type Tool } from '@toolbridge/client'
import { messageOf } from '../text/message-of.ts'
import { isAuthError } from '../auth-error.ts'
import type { ServerSpec, SpecSource } from '../config/spec/server-spec.ts'
import type { UpstreamStateName } from '../journal/events/events.ts'
import type { Connection } from './connections/connection.ts'
import { stderrOf } from './connections/launch.ts'

/** A server that is there. */
export interface RunningServer {
  readonly connection: Connection
  readonly startedInMs: number
}

/** The state of a server is that of its connection for the bridge's own origin. */
export type UpstreamState =
  /** `stopped`: nobody has needed it yet, or nobody does any more. */
  | { readonly kind: 'disabled' | 'stopped' | 'starting' }
  | { readonly kind: 'ready'; readonly running: RunningServer }
  /** It is there, but something it was asked went unanswered, or its list could not be read again. */
  | { readonly kind: 'degraded'; readonly running: RunningServer; readonly error: unknown }
  /** It was ready; its tools stay listed, and it is started again at that time. */
  | { readonly kind: 'down'; readonly error: unknown; readonly retryAt: Date }
  /** It never was ready, or did not stay so: nothing is tried any more unless somebody needs it after that time. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly retryAt?: Date }
  /** A project wants it, and nobody agreed. */
  | { readonly kind: 'untrusted'; readonly error: unknown }
  /** It wants other credentials, or a person to sign in. */
  | { readonly kind: 'unauthorized'; readonly error: unknown; readonly running?: RunningServer }

/** What is known about one server at this moment. */
export interface UpstreamStatus {
  readonly name: string
  readonly transport: ServerSpec['transport']
  readonly state: UpstreamStateName
  /** Since when it is in that state. */
  readonly since: Date
  readonly toolCount: number
  /** The server's own names of its tools, as it lists them; what its definition filters out is among them. */
  readonly tools: readonly string[]
  /** How often it was started again after it had died. */
  readonly restarts: number
  readonly serverInfo?: Implementation
  readonly protocolVersion?: string
  readonly startedInMs?: number
  /** Why the server is not ready, in one sentence. */
  readonly error?: string
  /** The last lines the server wrote to stderr, oldest first, when there is an error to explain. */
  readonly stderr?: readonly string[]
  /** When it is started again, or may be. */
  readonly retryAt?: Date
  readonly pid?: number
  readonly source: SpecSource
}

/** What a status is made of. */
export interface StatusFacts {
  readonly spec: ServerSpec
  readonly state: UpstreamState
  readonly since: Date
  readonly tools: readonly Tool[]
  readonly restarts: number
}

/** Puts what is known of a server into words. */
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
  return { error: messageOf(error), ...(stderr.length === 0 ? {} : { stderr }) }
}

/** The same failure of the link, in a sentence that names the server. Other errors name it themselves. */
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

/** Whether the server wants other credentials, or there was no way to get them. */
export function isUnauthorized(error: unknown): boolean {
  return isAuthError(error) || (error instanceof McpError && error.kind === 'unauthorized')
}
