import { z } from 'zod'

/** A finished tool call, or a finished run of code that calls tools. */
export interface ActivityEntry {
  /** Unique id of the call. */
  readonly id: string
  /** Time at which the call ended, as ISO 8601. */
  readonly at: string
  /** Public name of the tool. */
  readonly tool: string
  /** Name of the server. Empty for a run of code. */
  readonly server: string
  /** Source of the call: the console, a session of an MCP host, or a workflow. */
  readonly conversation: string
  /** Name that the MCP host that made the call gave itself: untrusted text. Absent if no host did, or if it gave none. */
  readonly host?: string
  /** Duration of the call in milliseconds. */
  readonly latencyMs: number
  /** How the call ended; `tool_error` is a failure that the tool itself reported. */
  readonly outcome: ActivityOutcome
  /** Error message. Absent when the call succeeded. */
  readonly error?: string
  /** Id of what made the call, such as a run of code. Absent if nothing but the caller did. */
  readonly parent?: string
}

/** How a call ended. */
export type ActivityOutcome = (typeof activityOutcomes)[number]

/** The values of `ActivityOutcome`. */
export const activityOutcomes = ['ok', 'tool_error', 'failed', 'denied', 'cancelled'] as const

/** Query of `GET /api/activity`. */
export interface ActivityQuery {
  /** Only calls of this server. */
  readonly server?: string | undefined
  /** Only calls of this tool, by public name. */
  readonly tool?: string | undefined
  /** Only calls that ended so. */
  readonly outcome?: ActivityOutcome | undefined
  /** Only calls that this made: the id of a call or of a run of code. */
  readonly parent?: string | undefined
  /** Only calls that ended at this time or later, as ISO 8601. */
  readonly from?: string | undefined
  /** Only calls that ended before this time, as ISO 8601. */
  readonly to?: string | undefined
  /** `next` of the response with the calls before. */
  readonly cursor?: string | undefined
  /** Number of calls, from 1 to 200. Default: 200. */
  readonly limit?: number | undefined
}

const timeSchema = z.iso.datetime({ offset: true })

/** Schema of `ActivityQuery`. */
export const activityQuerySchema: z.ZodType<ActivityQuery> = z.object({
  server: z.string().optional(),
  tool: z.string().optional(),
  outcome: z.enum(activityOutcomes).optional(),
  parent: z.string().optional(),
  from: timeSchema.optional(),
  to: timeSchema.optional(),
  cursor: z.string().max(1_000).optional(),
  limit: z.coerce.number().int().min(1).max(200).optional(),
})

/** Response of `GET /api/activity`. */
export interface ActivityResponse {
  /** The latest calls, newest first. */
  readonly entries: readonly ActivityEntry[]
  /** Cursor of the following calls. Absent if there are none. */
  readonly next?: string
}

/** A question that a call led to. */
export interface ActivityQuestion {
  /** `approval`: whether the call may be made. The others are questions of the server. */
  readonly kind: 'form' | 'approval' | 'url' | 'input' | 'consent'
  /** Time of the question, as ISO 8601. */
  readonly askedAt: string
  /** Time of the answer, as ISO 8601. Absent if there was none before the call ended. */
  readonly answeredAt?: string
  /** What was answered, without the contents. */
  readonly action?: 'accept' | 'decline' | 'cancel'
}

/** A JSON value as text, and the number of characters that were omitted. */
export interface ShownJson {
  /** The beginning of the text. */
  readonly text: string
  /** Number of characters that were omitted. */
  readonly omitted: number
}

/** Response of `GET /api/activity/:id`: what happened in a call. */
export interface ActivityTraceResponse {
  /** The call. */
  readonly entry: ActivityEntry
  /** The server's own name for the tool. */
  readonly rawName: string
  /** What decided about the call. Absent if it ended before. */
  readonly permission?: { readonly verdict: 'allow' | 'deny'; readonly reason: string }
  /** The questions that the call led to, oldest first. */
  readonly questions: readonly ActivityQuestion[]
  /** Arguments of the call, without the secrets of server definitions. */
  readonly arguments?: ShownJson
  /** Result of the call, without the secrets of server definitions. Absent if it failed. */
  readonly result?: ShownJson
  /** Calls that this call made, oldest first. */
  readonly calls: readonly ActivityEntry[]
}
