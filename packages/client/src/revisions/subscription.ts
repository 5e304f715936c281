import type { McpError } from '../jsonrpc/jsonrpc.ts'

/** Selects the changes that a subscription reports. */
export interface SubscriptionFilter {
  /** Changes of the list of tools. Default: false. */
  readonly toolsListChanged?: boolean
  /** Changes of the list of prompts. Default: false. */
  readonly promptsListChanged?: boolean
  /** Changes of the list of resources. Default: false. */
  readonly resourcesListChanged?: boolean
  /** URIs of resources to watch. */
  readonly resourceSubscriptions?: readonly string[]
  /** Tasks to watch. Requires 2026-07-28 and the tasks extension. */
  readonly taskIds?: readonly string[]
}

/** Called with each notification of a subscription. */
export type SubscriptionListener = (method: string, params: unknown) => void

/** Options of `McpClient.subscribe`. */
export interface SubscribeOptions {
  /** Aborting cancels the request, or ends the subscription. */
  readonly signal?: AbortSignal
  /** Timeout until the server acknowledges. Default: 60 s. */
  readonly timeoutMs?: number
  /** Called when a lost stream is open again. Changes in between were not reported. */
  readonly onGap?: () => void
  /** Called once if the subscription ends without `close()`. No reason: the server ended it. */
  readonly onEnd?: (reason: McpError | undefined) => void
}

/** An open subscription. Its creator closes it. */
export interface Subscription {
  /** The filter that the server accepted. May be narrower than requested. */
  readonly honoured: SubscriptionFilter
  /** Ends the subscription. */
  close(): Promise<void>
}
