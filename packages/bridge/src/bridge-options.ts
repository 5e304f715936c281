import type { Implementation, McpHooks, Root, WebSocketConstructor } from '@toolbridge/client'
import type { UrlGuardOptions } from '@toolbridge/client/auth'
import type { NamingPolicy } from '@toolbridge/client/internal'
import type { InlineServers } from './config/read/inline-servers.ts'
import type { Policy } from './config/spec/policy.ts'
import type { InputSource } from './config/spec/input-spec.ts'
import type { Authority, ServerSpec } from './config/spec/server-spec.ts'
import type { TrustStore } from './config/trust/trust-store.ts'
import type { EndedCall } from './ended-call.ts'
import type { QuestionPolicy } from './elicitation/question-policy.ts'
import type { Answerer } from './elicitation/question.ts'
import type { Origin } from './origin.ts'
import type { Journal } from './journal/events/events.ts'
import type { Telemetry } from './journal/events/telemetry-port.ts'
import type { GrantStore } from './permission/approvals/grant-store.ts'
import type { PinStore } from './permission/pins/pins.ts'
import type { PermissionRules } from './permission/rules/rules.ts'
import type { ResultPolicy } from './results/result-policy.ts'
import type { SamplingOptions } from './sampling.ts'
import type { Clock } from './async/clock.ts'
import type { CredentialsOf, TransportOf } from './upstream/connections/open-connection.ts'
import type { BridgeMessage } from './upstream/connections/trace-messages.ts'
import type { ConnectionQuotas } from './upstream/limits/quotas.ts'
import type { RestartPolicy } from './upstream/restarts.ts'
import type { ConfigSource } from './fleet/config-source.ts'

/** Options of `openBridge`. */
export interface BridgeOptions {
  /**
   * Server definitions as `readConfig` returns them, inline definitions by name, or a source. An inline definition that
   * cannot be used rejects with a `ConfigError`.
   */
  readonly servers: readonly ServerSpec[] | InlineServers | ConfigSource
  /** Whose definitions these are: decides whether they may use files, environment and helpers. */
  readonly authority: Authority
  /** Overrides `authority` for one definition. */
  readonly authorityOf?: (spec: ServerSpec) => Authority
  /** Approved entries of project files. Default: none. */
  readonly trust?: TrustStore
  /** Answers `${input:…}` and `${secret:…}` in definitions. Default: only their own defaults. */
  readonly inputs?: InputSource
  /** Permission rules. Default: mode `ask`, no rules. */
  readonly permissions?: PermissionRules
  /** Store of permanent grants. Default: in memory. */
  readonly grants?: GrantStore
  /** Store of the tool definitions that were approved. Default: in memory. */
  readonly pins?: PinStore
  /**
   * Policies of all servers. They override those of the dialects; `policy` of a definition overrides them. The `config.*` policies
   * are options of `readConfig` and `mergeConfigs`. Default: those of the dialects.
   */
  readonly policy?: Partial<Policy>
  /** Naming of tools; overrides `policy`. Default: `server__tool`, at most 64 characters. */
  readonly naming?: Partial<NamingPolicy>
  /** Processing of results; overrides `policy`. Default: unchanged. */
  readonly results?: Partial<ResultPolicy>
  /** Default channel for questions to the principal of `origin`. Default: none, questions are declined. */
  readonly answerer?: Answerer
  /** Channel for approvals of all origins. Default: the answerer of the call. */
  readonly approver?: Answerer
  /** Limits and timeouts of questions. */
  readonly questions?: Partial<QuestionPolicy>
  /** Sampling for named servers. Default: none. */
  readonly sampling?: SamplingOptions
  /** Roots for servers; each gets those that no rule denies it. Default: the capability is not declared. */
  readonly roots?: readonly Root[]
  /** The bridge's own origin. Default: `{ principal: 'local', conversation: 'main' }`. */
  readonly origin?: Origin
  /** Receives every event. */
  readonly journal?: Journal
  /**
   * Called when a call ends, before `call.finished` is in the journal. Must not throw or block. Default: arguments and results
   * are not observed.
   */
  readonly onCallEnd?: (call: EndedCall) => void
  /** Callbacks for connections, calls and errors. */
  readonly hooks?: McpHooks
  /** Tracing of calls. */
  readonly telemetry?: Telemetry
  /** Name and version that servers get. Default: those of Toolbridge. */
  readonly clientInfo?: Implementation
  /** Accounts at servers that need authorization. */
  readonly credentials?: CredentialsOf
  /**
   * Restricts the URLs of definitions with `session` authority, for servers and sign-in. Default: public https addresses.
   * Definitions with `local` authority are not restricted.
   */
  readonly guard?: UrlGuardOptions
  /** Limits per principal. Default: no limit. */
  readonly quotas?: ConnectionQuotas
  /** Start timeout where the definition sets none. Default: 30 s. */
  readonly startTimeoutMs?: number
  /**
   * Call timeout where the definition sets none. It does not run while a person answers a question. Default: 60 s.
   */
  readonly callTimeoutMs?: number
  /**
   * Calls in flight at once per server, where the definition sets no limit. Further calls wait, at most for their timeout;
   * origins are served in turn. Default: no limit.
   */
  readonly maxConcurrency?: number
  /** Interval of pings. 0 disables them. Default: 30 s. */
  readonly keepAliveMs?: number
  /** Idle time after which connections of other origins than the bridge's own are closed. Default: 5 min. */
  readonly idleMs?: number
  /** Restart policy. */
  readonly restarts?: Partial<RestartPolicy>
  /** WebSocket constructor. Default: the platform's (Node 22 or newer). */
  readonly webSocket?: WebSocketConstructor
  /** Creates transports that a definition cannot describe. */
  readonly transportOf?: TransportOf
  /** Called with every JSON-RPC message to and from servers, without secrets, for tracing. Default: none. */
  readonly onMessage?: (message: BridgeMessage) => void
  /** Default: the system clock. */
  readonly clock?: Clock
  /** Random numbers for jitter. Default: `Math.random`. */
  readonly random?: () => number
  /** Aborting while the bridge opens stops all servers and rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** Options of `Bridge.apply`, `reload`, `retry` and `restart`. */
export interface ApplyOptions {
  /** Aborting stops the servers that are still starting and rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** Options of `Bridge.watch`. */
export interface WatchOptions {
  /** Quiet time before a reload. Default: 200 ms. */
  readonly debounceMs?: number
}

/** Options of `Bridge.findTool`. */
export interface FindToolOptions {
  /** Aborting rejects with the signal's reason. */
  readonly signal?: AbortSignal
}
