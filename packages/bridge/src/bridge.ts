import type { CallToolResult, Implementation } from '@toolbridge/client'
import type { CallOptions } from './call.ts'
import type { BridgeTool } from './catalog/catalog.ts'
import type { Authority, ServerSpec } from './config/spec.ts'
import type { Answerer, Origin } from './elicitation/question.ts'
import type { Journal } from './journal/events.ts'
import type { PermissionRules } from './permission/rules.ts'
import type { UpstreamStatus } from './upstream/upstream.ts'

export interface BridgeOptions {
  readonly servers: readonly ServerSpec[]
  /** Whom the definitions belong to, which decides what they may draw on. */
  readonly authority: Authority
  /** Overrides `authority` for one definition. */
  readonly authorityOf?: (spec: ServerSpec) => Authority
  /** Mode `ask` without rules unless told. */
  readonly permissions?: PermissionRules
  /** Takes the questions to the principal of `origin` that no call's own answerer takes. Without one they are declined. */
  readonly answerer?: Answerer
  /** Approves the calls that the rules say to ask for, for every origin; the call's answerer unless told. */
  readonly approver?: Answerer
  /** `{ principal: 'local', conversation: 'main' }` unless told. */
  readonly origin?: Origin
  readonly journal?: Journal
  readonly clientInfo?: Implementation
  /** How long one server may take to become ready: 30,000 unless told. */
  readonly startTimeoutMs?: number
  /** How long a server may be silent during a call: 60,000 unless told. A person's time to answer does not count. */
  readonly callTimeoutMs?: number
}

/** What `apply` did, by server name. A failed server is also among the started. */
export interface ApplyReport {
  readonly kept: readonly string[]
  readonly started: readonly string[]
  readonly stopped: readonly string[]
  readonly failed: readonly { readonly name: string; readonly error: string }[]
}

/** Many servers as one set of tools. Whoever opened it closes it. */
export interface Bridge extends AsyncDisposable {
  /** One stable array, changed in place, sorted by name. */
  readonly tools: readonly BridgeTool[]
  /** Finds a tool by its public name or its `mcp://` address. */
  tool(name: string): BridgeTool | undefined
  /**
   * Calls a tool. A failure that the tool itself reports is a result; rejects with a `DeniedError`, an `McpError` or the
   * signal's reason.
   */
  call(name: string, args?: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<CallToolResult>
  /** Every server, sorted by name. */
  status(): readonly UpstreamStatus[]
  /**
   * Makes these the servers: starts what is new or changed, swaps, stops what is gone. Calls in flight on a stopped
   * server finish first. Rejects, and changes nothing, when a required server does not start.
   */
  apply(servers: readonly ServerSpec[]): Promise<ApplyReport>
  /** Closes the connections that belong to one origin; its next call opens new ones. */
  releaseOrigin(origin: Origin): Promise<void>
  /** Stops every server and withdraws every question. Idempotent. */
  close(): Promise<void>
}

/**
 * Starts every enabled server, in parallel, each with its own deadline, and resolves when each is ready or failed.
 * Rejects only when a required one failed, after stopping the others.
 */
export function openBridge(_options: BridgeOptions): Promise<Bridge> {
  return Promise.reject(new Error('not built yet'))
}
