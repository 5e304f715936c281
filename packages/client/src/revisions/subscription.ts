import type { McpError } from '../jsonrpc/jsonrpc.ts'

/** What a host wants to hear of. */
export interface SubscriptionFilter {
  readonly toolsListChanged?: boolean
  readonly promptsListChanged?: boolean
  readonly resourcesListChanged?: boolean
  /** The URIs of the resources whose changes matter. */
  readonly resourceSubscriptions?: readonly string[]
  /** The tasks whose progress matters; only without a handshake, with the extension for tasks. */
  readonly taskIds?: readonly string[]
}

export type SubscriptionListener = (method: string, params: unknown) => void

export interface SubscribeOptions {
  /** Aborting ends the attempt, or the subscription. */
  readonly signal?: AbortSignal
  /** How long the server may take to agree. */
  readonly timeoutMs?: number
  /** Called when a stream that was lost is there again: what happened in between was not told. */
  readonly onGap?: () => void
  /** Called once when it ends without `close()`: by the server, without a reason, or because of an error. */
  readonly onEnd?: (reason: McpError | undefined) => void
}

/** An agreement with the server to be told of changes, until either side ends it. */
export interface Subscription {
  /** What the server agreed to; it may be less than was asked for. */
  readonly honoured: SubscriptionFilter
  close(): Promise<void>
}
