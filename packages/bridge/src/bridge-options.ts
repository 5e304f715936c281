import type { Implementation, McpHooks, Root, WebSocketConstructor } from '@toolbridge/client'
import type { UrlGuardOptions } from '@toolbridge/client/auth'
import type { NamingPolicy } from '@toolbridge/client/internal'
import type { Policy } from './config/spec/policy.ts'
import type { InputSource } from './config/spec/input-spec.ts'
import type { Authority, ServerSpec } from './config/spec/server-spec.ts'
import type { TrustStore } from './config/trust/trust-store.ts'
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
import type { ConnectionQuotas } from './upstream/limits/quotas.ts'
import type { RestartPolicy } from './upstream/restarts.ts'
import type { ConfigSource } from './fleet/config-source.ts'

export interface BridgeOptions {
  /** The definitions, or where they come from, which lets them be read again. */
  readonly servers: readonly ServerSpec[] | ConfigSource
  /** Whom the definitions belong to, which decides what they may draw on. */
  readonly authority: Authority
  /** Overrides `authority` for one definition. */
  readonly authorityOf?: (spec: ServerSpec) => Authority
  /** What a person agreed to start of a project's own files; nothing unless told. */
  readonly trust?: TrustStore
  /** Answers what definitions ask for as `${input:…}` and `${secret:…}`; they have no answer but their default unless told. */
  readonly inputs?: InputSource
  /** Mode `ask` without rules unless told. */
  readonly permissions?: PermissionRules
  /** What people granted for good; it ends with the bridge unless told. */
  readonly grants?: GrantStore
  /** What tools were like when they were approved; it is forgotten with the bridge unless told. */
  readonly pins?: PinStore
  /** What a dialect or a person chose where hosts disagree; of it, names and results are decided here. */
  readonly policy?: Partial<Policy>
  /** How public names are made, over what `policy` says; `server__tool` in at most 64 characters unless told. */
  readonly naming?: Partial<NamingPolicy>
  /** What becomes of results, over what `policy` says; they are handed over whole and as they are unless told. */
  readonly results?: Partial<ResultPolicy>
  /** Takes the questions to the principal of `origin` that no call's own answerer takes. Without one they are declined. */
  readonly answerer?: Answerer
  /** Approves the calls that the rules say to ask for, for every origin; the call's answerer unless told. */
  readonly approver?: Answerer
  /** Which servers may ask, over which connections, how often, and for how long they wait for an answer. */
  readonly questions?: Partial<QuestionPolicy>
  /** Lets servers that are named have the host's model answer; none may unless told. */
  readonly sampling?: SamplingOptions
  /** Where servers may work, as they are told; they are told nothing unless there is something, be it an empty list. */
  readonly roots?: readonly Root[]
  /** `{ principal: 'local', conversation: 'main' }` unless told. */
  readonly origin?: Origin
  /** Hears of everything that happens. */
  readonly journal?: Journal
  /** Told of connections, calls and their failures. */
  readonly hooks?: McpHooks
  /** Follows calls from whoever makes them to the servers. */
  readonly telemetry?: Telemetry
  readonly clientInfo?: Implementation
  /** The accounts of principals at servers that want authorization. */
  readonly credentials?: CredentialsOf
  /**
   * Which addresses definitions of `session` authority may name, for their servers and for signing in: public ones over
   * https unless told. Those of `local` authority may name any.
   */
  readonly guard?: UrlGuardOptions
  /** How much each principal may have open at once; no limit unless told. */
  readonly quotas?: ConnectionQuotas
  /** How long one server may take to become ready, unless its definition says: 30,000 unless told. */
  readonly startTimeoutMs?: number
  /**
   * How long a server may be silent during a call, unless its definition says: 60,000 unless told. A person's time to
   * answer does not count.
   */
  readonly callTimeoutMs?: number
  /** How often a server is asked for a sign of life: every 30,000 unless told; 0 for never. */
  readonly keepAliveMs?: number
  /** After how long without use a connection is closed, those of the bridge's own origin aside: 300,000 unless told. */
  readonly idleMs?: number
  /** How servers that died are started again. */
  readonly restarts?: Partial<RestartPolicy>
  /** Makes WebSocket connections instead of the platform's, which Node has from version 22 on. */
  readonly webSocket?: WebSocketConstructor
  /** Makes the links to servers that are not reached in the way a definition can say. */
  readonly transportOf?: TransportOf
  /** The machine's unless told. */
  readonly clock?: Clock
  /** Spreads waits: `Math.random` unless told. */
  readonly random?: () => number
  /** Aborting while the bridge opens stops what was started and rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

export interface ApplyOptions {
  /** Aborting gives up the servers that are still starting and rejects with the signal's reason; the rest stays. */
  readonly signal?: AbortSignal
}

export interface WatchOptions {
  /** How long nothing must have changed before it is read again: 200 unless told. */
  readonly debounceMs?: number
}

export interface FindToolOptions {
  /** Aborting ends the wait, which rejects with the signal's reason. */
  readonly signal?: AbortSignal
}
