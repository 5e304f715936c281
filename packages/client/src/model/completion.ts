/** The prompt or resource template whose argument is completed. */
export type CompletionReference =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string }

/** Parameters of `completion/complete`. */
export interface CompleteRequest {
  /** The prompt or resource template. */
  readonly ref: CompletionReference
  /** The argument and its value so far. */
  readonly argument: { readonly name: string; readonly value: string }
  /** Values of the other arguments. Not sent to servers of revisions before 2025-06-18. */
  readonly context?: { readonly arguments?: Readonly<Record<string, string>> }
}

/** Values that a server suggests for an argument. */
export interface Completion {
  /** Suggested values, best first. At most 100. */
  readonly values: readonly string[]
  /** Number of all values, if known. */
  readonly total?: number
  /** Whether there are more values. */
  readonly hasMore?: boolean
}
