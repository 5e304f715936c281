/** One finding about a configuration: what is wrong, where, and what to do about it. Never quotes a value. */
export interface Issue {
  /** Stable word for the kind of finding, such as `variable_unset`. */
  readonly code: string
  /** An error keeps its server from starting; a warning does not. */
  readonly severity: 'error' | 'warning'
  readonly file: string
  /** JSON pointer of the place inside that document. */
  readonly path: string
  /** Counted from 1, where the document is a text. */
  readonly line?: number
  readonly column?: number
  readonly message: string
  /** What stands there, as a kind of thing and never as a value, and what should. */
  readonly found?: string
  readonly expected?: string
  readonly fix: string
}

/** Appends one more step to a JSON pointer, escaped as RFC 6901 asks. */
export function pointerTo(parent: string, key: string | number): string {
  const step = String(key)
  return /[~/]/.test(step)
    ? `${parent}/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`
    : `${parent}/${step}`
}
