import type { InputSource } from '../spec/input-spec.ts'
import type { Policy } from '../spec/policy.ts'

/** Options of `resolveSpec`. */
export interface ResolveOptions {
  /** Aborts resolving. */
  readonly signal?: AbortSignal
  /** Provides values for `${input:…}` and `${secret:…}`. Default: none; only declared defaults are used. */
  readonly inputs?: InputSource
  /** The object that `${context:user.name}` refers to. Default: empty. */
  readonly context?: Readonly<Record<string, unknown>>
  /** Whether the entry is trusted. The headers helper of a project file runs only then. Default: false. */
  readonly isTrusted?: boolean
  /** Policies that override those of the dialect. Default: none. */
  readonly policy?: Partial<Policy>
}
