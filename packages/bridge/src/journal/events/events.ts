import type { LogLevel, McpErrorKind, TraceContext } from '@toolbridge/client'
import type { McpAuthErrorCode } from '@toolbridge/client/auth'
import type { ServerSpec } from '../../config/spec/server-spec.ts'
import type { Origin } from '../../origin.ts'
import type { ConfigErrorCode, DeniedErrorCode } from '../../errors.ts'

/** How a call ended. */
export type CallOutcome = 'ok' | 'tool_error' | 'failed' | 'denied' | 'cancelled'

/** The states of an upstream. */
export type UpstreamStateName =
  | 'stopped'
  | 'starting'
  | 'ready'
  | 'degraded'
  | 'down'
  | 'failed'
  | 'disabled'
  | 'untrusted'
  | 'unauthorized'

/** The kinds of questions that are put to a person. */
export type QuestionKind = 'form' | 'approval' | 'url' | 'input' | 'consent'

/** The requests that are journaled besides tool calls. */
export type ObservedMethod = 'resources/read' | 'resources/subscribe' | 'prompts/get' | 'completion/complete'

/**
 * Why code did not return. `syntax`: it does not parse. `error`: it threw. `stuck`: it waits for a promise that nothing
 * settles. `limit`: it exceeded a limit.
 */
export type CodeFailureKind = 'syntax' | 'error' | 'stuck' | 'limit'

/** Which limit a run of code exceeded. */
export type ExceededLimit = 'time' | 'memory' | 'calls' | 'arguments' | 'output'

/** How a run of code ended. */
export type CodeRunOutcome = 'ok' | 'failed' | 'cancelled'

/** The class of an error. */
export type EventFailure =
  | { readonly kind: McpErrorKind; readonly code: number }
  | { readonly kind: 'unauthorized'; readonly code: McpAuthErrorCode }
  | { readonly kind: 'denied'; readonly code: DeniedErrorCode }
  | { readonly kind: 'configuration'; readonly code: ConfigErrorCode }
  /** The caller aborted. */
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'other' }

/** An event of a bridge. No event contains arguments, results, answers, code or secrets. */
export type BridgeEvent =
  | {
      readonly type: 'server.state'
      readonly at: Date
      readonly server: string
      readonly state: UpstreamStateName
      readonly error?: string
    }
  | {
      /** A connection for an origin is open, and the tools of its server are listed. */
      readonly type: 'connection.opened'
      readonly at: Date
      readonly server: string
      readonly origin: Origin
      readonly transport: ServerSpec['transport']
      /** Hostname of a remote server. */
      readonly address?: string
      readonly port?: number
      /** Name and version that the server reports. Untrusted text. */
      readonly serverName: string
      readonly serverVersion: string
      readonly protocolVersion: string
      readonly toolCount: number
      readonly startedInMs: number
    }
  | {
      readonly type: 'connection.failed'
      readonly at: Date
      readonly server: string
      readonly origin: Origin
      readonly transport: ServerSpec['transport']
      readonly error: string
      readonly failure: EventFailure
    }
  | {
      /** An open connection has ended. */
      readonly type: 'connection.closed'
      readonly at: Date
      readonly server: string
      readonly origin: Origin
      readonly openMs: number
      /** Why it ended, unless it was closed on purpose. */
      readonly error?: string
      readonly failure?: EventFailure
    }
  | {
      readonly type: 'tools.changed' | 'resources.changed' | 'prompts.changed'
      readonly at: Date
      readonly server: string
      readonly count: number
    }
  | {
      /** The tools were lowered for a model provider. */
      readonly type: 'tools.compiled'
      readonly at: Date
      readonly profile: string
      readonly count: number
      /** Estimated number of tokens of all definitions. */
      readonly tokens: number
      readonly quarantined: number
    }
  | {
      readonly type: 'call.started'
      readonly at: Date
      readonly callId: string
      readonly tool: string
      readonly server: string
      /** Raw name of the tool. */
      readonly rawName: string
      readonly origin: Origin
      /** The trace context of the caller. */
      readonly trace?: TraceContext | undefined
      /** Id of what made the call, such as a run of code. */
      readonly parent?: string | undefined
    }
  | {
      readonly type: 'call.finished'
      readonly at: Date
      readonly callId: string
      readonly tool: string
      readonly server: string
      readonly rawName: string
      readonly origin: Origin
      /** The trace context sent to the server. */
      readonly trace?: TraceContext | undefined
      /** Id of what made the call, such as a run of code. */
      readonly parent?: string | undefined
      readonly latencyMs: number
      readonly outcome: CallOutcome
      /** The error's code and message, never its data. */
      readonly error?: string
      readonly failure?: EventFailure
    }
  | {
      /** Code that calls tools was started. */
      readonly type: 'code.started'
      readonly at: Date
      /** Id of the run: `parent` of its calls. */
      readonly runId: string
      readonly origin: Origin
      /** The trace context of the caller. */
      readonly trace?: TraceContext | undefined
      /** Id of what started the run, such as a run of an agent. */
      readonly parent?: string | undefined
    }
  | {
      readonly type: 'code.finished'
      readonly at: Date
      readonly runId: string
      readonly origin: Origin
      readonly parent?: string | undefined
      readonly durationMs: number
      /** Number of calls that were started. */
      readonly calls: number
      readonly outcome: CodeRunOutcome
      /** Why the code did not return. Undefined if the sandbox itself failed. */
      readonly failure?: CodeFailureKind
      readonly limit?: ExceededLimit
    }
  | {
      /** A resource read, prompt or completion was requested. */
      readonly type: 'request.started'
      readonly at: Date
      readonly requestId: string
      readonly method: ObservedMethod
      readonly server: string
      /** URI of the resource or name of the prompt. */
      readonly item: string
      readonly origin: Origin
    }
  | {
      readonly type: 'request.finished'
      readonly at: Date
      readonly requestId: string
      readonly method: ObservedMethod
      readonly server: string
      readonly item: string
      readonly origin: Origin
      readonly latencyMs: number
      readonly error?: string
      readonly failure?: EventFailure
    }
  | {
      readonly type: 'permission.decided'
      readonly at: Date
      readonly callId: string
      readonly tool: string
      readonly verdict: 'allow' | 'deny'
      readonly reason: string
    }
  | {
      readonly type: 'question.asked'
      readonly at: Date
      readonly questionId: string
      readonly kind: QuestionKind
      readonly server: string
      readonly origin: Origin
      /** The call that led to the question, if it is known. */
      readonly callId?: string
    }
  | {
      readonly type: 'question.answered'
      readonly at: Date
      readonly questionId: string
      readonly server: string
      readonly action: 'accept' | 'decline' | 'cancel'
    }
  | {
      /** A server reports that a URL elicitation is complete. */
      readonly type: 'question.completed'
      readonly at: Date
      readonly server: string
      readonly origin: Origin
    }
  | {
      /** A sampling request of a server has ended. */
      readonly type: 'sampling.finished'
      readonly at: Date
      readonly server: string
      readonly origin: Origin
      readonly outcome: 'ok' | 'refused' | 'failed'
      readonly tokens: number
    }
  | {
      /** A log message of a server: untrusted, truncated and redacted. */
      readonly type: 'server.log'
      readonly at: Date
      readonly server: string
      readonly level: LogLevel
      readonly logger?: string
      readonly message: string
    }
  | {
      /** A workflow uses a toolkit, or the client of a toolkit was opened. */
      readonly type: 'toolkit.used' | 'toolkit.started'
      readonly at: Date
      readonly workflow: string
      readonly toolkit: string
    }
  | {
      readonly type: 'toolkit.failed'
      readonly at: Date
      readonly workflow: string
      readonly toolkit: string
      readonly error: string
    }
  | {
      /** A tool of a toolkit was added to a node of a workflow. */
      readonly type: 'tool.materialized'
      readonly at: Date
      readonly workflow: string
      readonly toolkit: string
      /** The name of the tool in the node. */
      readonly tool: string
    }
  | {
      readonly type: 'diagnostic'
      readonly at: Date
      readonly code: string
      readonly server?: string
      readonly message: string
    }

/** Receives every event synchronously. Must not throw or block; a slow sink queues on its own. */
export type Journal = (event: BridgeEvent) => void
