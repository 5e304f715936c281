import type { Implementation } from '@toolbridge/client'
import type { SpecSource } from '../config/spec.ts'
import type { UpstreamStateName } from '../journal/events.ts'

/** What is known about one server at this moment. */
export interface UpstreamStatus {
  readonly name: string
  readonly transport: 'stdio' | 'http'
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
