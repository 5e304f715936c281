/** Limits for the questions of servers and for the connections they need. */
export interface QuestionPolicy {
  /**
   * Servers that get one connection per origin, over which they may ask and sample at any time. The others have one
   * connection per principal and can ask only in the result of a call, which legacy servers (before 2026-07-28) cannot
   * do at all. Default: `all`.
   */
  readonly perOrigin: 'all' | 'none' | readonly string[]
  /** Maximum number of connections, not counting the bridge's own to each server. Default: 256. */
  readonly maxConnections: number
  /** Maximum number of these connections per server. Default: 64. */
  readonly maxConnectionsPerServer: number
  /** How long a call waits for a connection when the limit is reached. Default: 30 s. */
  readonly maxWaitMs: number
  /**
   * How long an idle connection is kept for its origin while others wait, because its server may still ask. Default:
   * 500 ms.
   */
  readonly minIdleMs: number
  /** Timeout for the answer of a person; then the question is cancelled. Default: 1 h. */
  readonly answerTimeoutMs: number
  /** Maximum number of questions per minute from one server to one principal. Default: 60. */
  readonly maxPerMinute: number
}

/** The defaults of `QuestionPolicy`. */
export const defaultQuestionPolicy: QuestionPolicy = {
  perOrigin: 'all',
  maxConnections: 256,
  maxConnectionsPerServer: 64,
  maxWaitMs: 30_000,
  minIdleMs: 500,
  answerTimeoutMs: 3_600_000,
  maxPerMinute: 60,
}

/** Returns whether a server gets one connection per origin. */
export function isPerOrigin({ perOrigin }: QuestionPolicy, server: string): boolean {
  return typeof perOrigin === 'string' ? perOrigin === 'all' : perOrigin.includes(server)
}
