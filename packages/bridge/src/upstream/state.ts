import { type Implementation, McpError, type Tool } from '@toolbridge/client'
import type { ServerSpec, SpecSource } from '../config/spec.ts'
import type { UpstreamStateName } from '../journal/events.ts'
import type { Connection } from './connection.ts'
import { stderrOf } from './launch.ts'

/** The state of a server is that of its connection for the bridge's own origin. */
export type UpstreamState =
  | { readonly kind: 'disabled' | 'stopped' | 'starting' }
  | { readonly kind: 'ready'; readonly connection: Connection; readonly startedInMs: number }
  /** `failed`: it never was ready. `down`: it was, its tools stay listed, and the next call tries to start it again. */
  | { readonly kind: 'failed' | 'down'; readonly error: unknown }

/** What is known about one server at this moment. */
export interface UpstreamStatus {
  readonly name: string
  readonly transport: ServerSpec['transport']
  readonly state: UpstreamStateName
  readonly toolCount: number
  readonly serverInfo?: Implementation
  readonly protocolVersion?: string
  readonly startedInMs?: number
  /** Why the server is not ready, in one sentence. */
  readonly error?: string
  /** The last lines the server wrote to stderr, oldest first, when there is an error to explain. */
  readonly stderr?: readonly string[]
  readonly pid?: number
  readonly source: SpecSource
}

/** Puts the state of a server into words. */
export function statusOf(spec: ServerSpec, state: UpstreamState, tools: readonly Tool[]): UpstreamStatus {
  const { name, transport, source } = spec
  const commons = { name, transport, state: state.kind, toolCount: tools.length, source }
  switch (state.kind) {
    case 'ready': {
      const { description, pid } = state.connection
      const { serverInfo, protocolVersion } = description
      const { startedInMs } = state
      return { ...commons, serverInfo, protocolVersion, startedInMs, ...(pid === undefined ? {} : { pid }) }
    }
    case 'failed':
    case 'down': {
      const stderr = stderrOf(state.error)
      return { ...commons, error: messageOf(state.error), ...(stderr.length === 0 ? {} : { stderr }) }
    }
    case 'disabled':
    case 'stopped':
    case 'starting':
      return commons
  }
}

/** One sentence about whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The same failure of the link, in a sentence that names the server. Other errors name it themselves. */
export function explained(server: string, what: string, error: unknown): unknown {
  if (!(error instanceof McpError)) return error
  const { kind, code, data } = error
  return new McpError(`server "${server}" ${what}: ${error.message}`, { kind, code, data, cause: error })
}
