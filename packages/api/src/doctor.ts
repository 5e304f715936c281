import type { Problem } from './problem.ts'

/** A change of the server's entry that solves a problem. */
export type DoctorEdit =
  | { readonly kind: 'url' | 'deny' | 'remove'; readonly value: string }
  | { readonly kind: 'startMs'; readonly value: number }

/** What a stage of a diagnosis found: one per problem, or one that says that there is none. Contains no secrets. */
export interface DoctorFinding {
  /** Name of the server. Omitted for findings about all of the settings. */
  readonly server?: string
  /** The stage, such as `binary` or `list`. They are in the order in which they happen. */
  readonly stage: string
  /** A warning does not prevent the use of the server; an error does. */
  readonly outcome: 'ok' | 'warning' | 'error' | 'skipped'
  /** Stable code. */
  readonly code: string
  /** What was seen, in one sentence. May contain text of the server: untrusted. */
  readonly seen: string
  /** What to do. */
  readonly fix?: string
  /** The fix as a change of the entry, where it is one. */
  readonly edit?: DoctorEdit
  /** Position of the problem in the settings. */
  readonly location?: {
    readonly file: string
    readonly path?: string
    readonly line?: number
    readonly column?: number
  }
  /** What was measured and read, by name. */
  readonly facts?: Readonly<Record<string, unknown>>
  /** Last lines of the server's stderr, oldest first. */
  readonly stderr?: readonly string[]
}

/**
 * An event of the stream `POST /api/servers/:name/doctor`, sent as JSON in `data`. `done` or `failed` is always the last
 * event; `outcome` is that of the worst finding.
 */
export type DoctorEvent =
  | { readonly type: 'finding'; readonly finding: DoctorFinding }
  | { readonly type: 'done'; readonly outcome: 'ok' | 'warning' | 'error' }
  | { readonly type: 'failed'; readonly problem: Problem }
