import type { InputSource } from '../spec/input-spec.ts'

/** What a definition may need beside its authority. */
export interface ResolveOptions {
  readonly signal?: AbortSignal
  /** Answers what `${input:…}` and `${secret:…}` ask for; without it they have no answer but their default. */
  readonly inputs?: InputSource
  /** What paths such as `${context:user.name}` lead into. */
  readonly context?: Readonly<Record<string, unknown>>
  /** Whether somebody agreed to the entry: the helper of a project's file runs only then. */
  readonly isTrusted?: boolean
}
