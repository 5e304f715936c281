import type { LogLevel, McpErrorKind, TraceContext } from '@toolbridge/client'
import type { McpAuthErrorCode } from '@toolbridge/client/auth'
import type { ServerSpec } from '../../config/spec/server-spec.ts'
import type { Origin } from '../../origin.ts'
import type { ConfigErrorCode, DeniedErrorCode } from '../../errors.ts'

export type CallOutcome = 'ok' | 'tool_error' | 'failed' | 'denied' | 'cancelled'

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

/** What a server is asked beside the calls of its tools. */
export type ObservedMethod = 'resources/read' | 'prompts/get' | 'completion/complete'

/** What an error is, for whoever counts errors or tells them apart. */
export type EventFailure =
  | { readonly kind: McpErrorKind; readonly code: number }
  | { readonly kind: 'unauthorized'; readonly code: McpAuthErrorCode }
  | { readonly kind: 'denied'; readonly code: DeniedErrorCode }
  | { readonly kind: 'configuration'; readonly code: ConfigErrorCode }
  /** Whoever wanted it does not any more. */
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'other' }

/** Everything a bridge does, in one stream. No event carries an argument, a result, an answer or a secret. */
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
      /** Where it leads to over a network; neither path nor parameters. */
      readonly address?: string
      readonly port?: number
      /** What the server calls itself: untrusted text. */
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
      /** Nothing is left of a connection that was open. */
      readonly type: 'connection.closed'
      readonly at: Date
      readonly server: string
      readonly origin: Origin
      readonly openMs: number
      /** Why it ended, where nobody had closed it. */
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
      /** The tools were made into those of a model provider: what they cost whoever reads them all. */
      readonly type: 'tools.compiled'
      readonly at: Date
      readonly profile: string
      readonly count: number
      /** An estimate. */
      readonly tokens: number
      readonly quarantined: number
    }
  | {
      readonly type: 'call.started'
      readonly at: Date
      readonly callId: string
      readonly tool: string
      readonly server: string
      /** The server's own name for the tool. */
      readonly rawName: string
      readonly origin: Origin
      /** What the call belongs to, as whoever made it says. */
      readonly trace?: TraceContext | undefined
    }
  | {
      readonly type: 'call.finished'
      readonly at: Date
      readonly callId: string
      readonly tool: string
      readonly server: string
      readonly rawName: string
      readonly origin: Origin
      /** What the server was told that the call belongs to. */
      readonly trace?: TraceContext | undefined
      readonly latencyMs: number
      readonly outcome: CallOutcome
      /** The error's code and message, never its data. */
      readonly error?: string
      readonly failure?: EventFailure
    }
  | {
      /** A resource is read, a prompt is filled in, or something is to be completed. */
      readonly type: 'request.started'
      readonly at: Date
      readonly requestId: string
      readonly method: ObservedMethod
      readonly server: string
      /** The address of a resource, or the name of a prompt. */
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
    }
  | {
      readonly type: 'question.answered'
      readonly at: Date
      readonly questionId: string
      readonly server: string
      readonly action: 'accept' | 'decline' | 'cancel'
    }
  | {
      /** A page that a person agreed to go to has done its part, as its server says. */
      readonly type: 'question.completed'
      readonly at: Date
      readonly server: string
      readonly origin: Origin
    }
  | {
      /** A server had the host's model answer, or wanted to. */
      readonly type: 'sampling.finished'
      readonly at: Date
      readonly server: string
      readonly origin: Origin
      readonly outcome: 'ok' | 'refused' | 'failed'
      readonly tokens: number
    }
  | {
      /** A server's own words about what it does: untrusted text, cut, without the secrets of its definition. */
      readonly type: 'server.log'
      readonly at: Date
      readonly server: string
      readonly level: LogLevel
      readonly logger?: string
      readonly message: string
    }
  | {
      /** A workflow uses a toolkit that it carries, or the client of a toolkit was opened. */
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
      /** A tool of a toolkit was put before a workflow's node. */
      readonly type: 'tool.materialized'
      readonly at: Date
      readonly workflow: string
      readonly toolkit: string
      /** The name under which the node has it. */
      readonly tool: string
    }
  | {
      readonly type: 'diagnostic'
      readonly at: Date
      readonly code: string
      readonly server?: string
      readonly message: string
    }

/** Receives every event as it happens. Must not throw and must not block; a slow sink queues for itself. */
export type Journal = (event: BridgeEvent) => void
