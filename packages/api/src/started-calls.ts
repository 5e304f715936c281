import type { Problem } from './problem.ts'
import type { CallToolResponse } from './tools.ts'

/** Progress of a call, as its server reports it. */
export interface CallProgress {
  /** How much is done. */
  readonly progress: number
  /** How much there is to do. Absent if unknown. */
  readonly total?: number
  /** What is being done: untrusted text. */
  readonly message?: string
}

/** The values of `StartedCallState`. */
export const startedCallStates = ['running', 'done', 'failed', 'cancelled'] as const

/** State of a started call. `done`: there is a result, which may be a failure that the tool reports. */
export type StartedCallState = (typeof startedCallStates)[number]

/** A call that the gateway makes independently of a request. */
export interface StartedCall {
  /** Unique id. */
  readonly id: string
  /** Public name of the tool. */
  readonly tool: string
  /** State of the call. */
  readonly state: StartedCallState
  /** Time at which the call was started, as ISO 8601. */
  readonly startedAt: string
  /** Time at which the call ended, as ISO 8601. Absent while it runs. */
  readonly endedAt?: string
  /** The last progress. Absent if the server reported none. */
  readonly progress?: CallProgress
  /** Number of log messages of the server while the call ran. */
  readonly logCount: number
  /** Id of the call in the activity. Absent until the tool is found. */
  readonly activity?: string
}

/** A log message of a server. */
export interface CallLogMessage {
  /** Time of the message, as ISO 8601. */
  readonly at: string
  /** Level by RFC 5424: `debug` to `emergency`. */
  readonly level: string
  /** Name of the logger. Absent if the server named none. */
  readonly logger?: string
  /** The message: untrusted text. */
  readonly message: string
}

/** Response of `GET /api/tools/calls`. */
export interface StartedCallsResponse {
  /** The calls that are running or ended recently, oldest first. */
  readonly calls: readonly StartedCall[]
}

/** Response of `POST /api/tools/calls`. */
export interface StartCallResponse {
  /** The call, which is running. */
  readonly call: StartedCall
}

/** Response of `GET /api/tools/calls/:id`. */
export interface StartedCallResponse {
  /** The call. */
  readonly call: StartedCall
  /** Arguments of the call. */
  readonly arguments: Readonly<Record<string, unknown>>
  /** The last log messages of the server while the call ran, oldest first. */
  readonly logs: readonly CallLogMessage[]
  /** Result, if the call is done. */
  readonly result?: CallToolResponse
  /** Why there is no result, if the call failed. */
  readonly problem?: Problem
}
