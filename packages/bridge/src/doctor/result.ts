import type { JsonValue } from '../config/documents/json-value.ts'
import type { Stage } from './stages.ts'

/** The outcome of a stage. A warning does not prevent the use of the server; an error does. */
export type StageOutcome = 'ok' | 'warning' | 'error' | 'skipped'

/**
 * A change of the server's entry that solves a problem. `url`: its new URL. `deny`: a tool to leave out. `startMs`: its new start
 * timeout. `remove`: a field to remove, as a JSON pointer into the file.
 */
export type SuggestedEdit =
  | { readonly kind: 'url'; readonly value: string }
  | { readonly kind: 'deny'; readonly value: string }
  | { readonly kind: 'startMs'; readonly value: number }
  | { readonly kind: 'remove'; readonly value: string }

/** A position in a configuration file. */
export interface StageLocation {
  /** Path of the file. */
  readonly file: string
  /** JSON pointer into the document. */
  readonly path?: string
  /** Line in the file, starting at 1. */
  readonly line?: number
  /** Column in the file, starting at 1. */
  readonly column?: number
}

/** What a stage found: one per problem, or one that says that there is none. Contains no secrets of definitions. */
export interface Finding {
  /** The outcome. */
  readonly outcome: StageOutcome
  /** Stable code, listed in docs/doctor.md. */
  readonly code: string
  /** What was seen, in one sentence. May contain text of the server, which is untrusted. */
  readonly seen: string
  /** What to do. Set for warnings, errors and disabled servers. */
  readonly fix?: string
  /** The fix as a change of the entry, where it is one. */
  readonly edit?: SuggestedEdit
  /** The position of the problem in a configuration file. */
  readonly location?: StageLocation
  /** What was measured and read, by name. */
  readonly facts?: Readonly<Record<string, JsonValue>>
  /** The last lines of the server's standard error, oldest first. */
  readonly stderr?: readonly string[]
}

/** A finding of one stage. */
export interface StageResult extends Finding {
  /** Name of the server. Omitted for findings about the whole configuration. */
  readonly server?: string
  /** The stage. */
  readonly stage: Stage
}
