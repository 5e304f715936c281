/** One thing that is wrong with what was sent. */
export interface ProblemIssue {
  /** JSON pointer into the request's document. */
  readonly path: string
  readonly message: string
  /** 1-based, when the document was text. */
  readonly line?: number
  readonly column?: number
}

/** Every error answer of the gateway: a problem document (RFC 9457) with a stable `code`. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: string
  /** What happened and what to do about it. */
  readonly detail?: string
  readonly issues?: readonly ProblemIssue[]
  /** With `version_conflict`: the version the request meant to replace, and the one that is current. */
  readonly versions?: { readonly expected: number; readonly current: number }
}
