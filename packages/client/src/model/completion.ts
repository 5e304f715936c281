/** What is being filled in: an argument of a prompt, or a variable of a resource template. */
export type CompletionReference =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string }

export interface CompleteRequest {
  readonly ref: CompletionReference
  /** The argument and what has been typed of it. */
  readonly argument: { readonly name: string; readonly value: string }
  /** What the other arguments are already; servers before 2025-06-18 are not told. */
  readonly context?: { readonly arguments?: Readonly<Record<string, string>> }
}

export interface Completion {
  readonly values: readonly string[]
  readonly total?: number
  readonly hasMore?: boolean
}
