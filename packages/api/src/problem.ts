import type { DestinationChange } from './destination-change.ts'

/** One issue of an invalid request. */
export interface ProblemIssue {
  /** JSON pointer into the request body. */
  readonly path: string
  /** The problem and its fix. */
  readonly message: string
  /** Line in the request body, from 1. Absent if unknown. */
  readonly line?: number
  /** Column in the request body, from 1. Absent if unknown. */
  readonly column?: number
}

/** Body of every error response: a problem document (RFC 9457) with a stable `code`. */
export interface Problem {
  /** URN of the kind of problem, derived from `code`. */
  readonly type: string
  /** Short description of the kind of problem. */
  readonly title: string
  /** HTTP status. */
  readonly status: number
  /** Stable code for programs. */
  readonly code: string
  /** The problem and its fix. */
  readonly detail?: string
  /** Every issue of an invalid request. */
  readonly issues?: readonly ProblemIssue[]
  /** With `version_conflict`: the version that the request expected, and the current one. */
  readonly versions?: { readonly expected: number; readonly current: number }
  /** When the same request may succeed, as in the header `Retry-After`. Absent if that is not known. */
  readonly retryAfterSeconds?: number
  /** With `destination_unconfirmed`: saved secrets that the request would send elsewhere. */
  readonly destinations?: readonly DestinationChange[]
}
