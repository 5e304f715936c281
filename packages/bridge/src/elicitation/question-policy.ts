/** Which servers may ask, over which connections, how often, and for how long they wait for an answer. */
export interface QuestionPolicy {
  /**
   * Which servers get a connection for each origin, over which they may ask and sample at any time: all unless told, or
   * these names. The other ones have one connection for each principal, over which they can ask only in the result of a
   * call; servers before 2026-07-28 cannot do that, and so cannot ask at all.
   */
  readonly perOrigin: 'all' | 'none' | readonly string[]
  /** How many connections there may be at once, the bridge's own to each server aside: 256 unless told. */
  readonly maxConnections: number
  /** How many of those to one server: 64 unless told. */
  readonly maxConnectionsPerServer: number
  /** How long a call waits for a connection when there are as many as may be: 30,000 unless told. */
  readonly maxWaitMs: number
  /**
   * For how long a connection that nobody uses stays its origin's though others wait for room, since its server may
   * still ask: 500 unless told.
   */
  readonly minIdleMs: number
  /** How long a person may take to answer before the question counts as cancelled: an hour unless told. */
  readonly answerTimeoutMs: number
  /** How many questions one server may ask one principal in a minute: 60 unless told. */
  readonly maxPerMinute: number
}

/** What holds unless told. */
export const defaultQuestionPolicy: QuestionPolicy = {
  perOrigin: 'all',
  maxConnections: 256,
  maxConnectionsPerServer: 64,
  maxWaitMs: 30_000,
  minIdleMs: 500,
  answerTimeoutMs: 3_600_000,
  maxPerMinute: 60,
}

/** Whether a server gets a connection for each origin. */
export function isPerOrigin({ perOrigin }: QuestionPolicy, server: string): boolean {
  return typeof perOrigin === 'string' ? perOrigin === 'all' : perOrigin.includes(server)
}
