import type { QuestionPolicy } from '../elicitation/question-policy.ts'
import type { Answerer } from '../elicitation/question.ts'
import type { Origin } from '../origin.ts'
import type { Emit } from '../journal/events/emit.ts'
import type { Clock } from '../async/clock.ts'
import type { ListName } from './upstream-lists.ts'
import type { OpenServices } from './connections/open-connection.ts'
import type { RestartPolicy } from './restarts.ts'
import type { ConnectionJournal } from '../journal/events/connection-journal.ts'
import type { Opening } from './connections/connection-pool.ts'
import type { Deadline } from './connections/deadline.ts'
import type { ConnectionLimiter, ConnectionPermit, ConnectionRequest } from './limits/connection-limiter.ts'

/** Dependencies of an upstream. */
export interface UpstreamOptions extends OpenServices {
  /** The bridge's own origin, over whose connection the tools are listed. */
  readonly origin: Origin
  /** The bridge's answerer. */
  readonly answerer: Answerer | undefined
  readonly emit: Emit
  readonly clock: Clock
  readonly random: () => number
  /** Used where the definition sets none. */
  readonly startTimeoutMs: number
  /** Calls in flight at once where the definition sets no limit. */
  readonly maxConcurrency: number
  readonly keepAliveMs: number
  readonly idleMs: number
  readonly restarts: RestartPolicy
  readonly questions: QuestionPolicy
  /** Bounds the connections of all servers. */
  readonly limits: ConnectionLimiter
  /** Called when a list was read. */
  readonly onList: (list: ListName) => void
}

/** One attempt to connect. */
export interface Attempt {
  readonly opening: Opening
  readonly request: ConnectionRequest
  readonly permit: ConnectionPermit | undefined
  readonly deadline: Deadline
  readonly journal: ConnectionJournal
}
