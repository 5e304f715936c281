/** A problem in a configuration: what is wrong, where, and how to fix it. Never contains a configured value. */
export interface Issue {
  /** Stable identifier of the kind of problem, such as `variable_unset`. */
  readonly code: string
  /** An error prevents its server from starting; a warning does not. */
  readonly severity: 'error' | 'warning'
  /** Path of the configuration file. */
  readonly file: string
  /** JSON pointer into the document. */
  readonly path: string
  /** Line in the file, starting at 1. */
  readonly line?: number
  /** Column in the file, starting at 1. */
  readonly column?: number
  /** A description of the problem in one sentence. */
  readonly message: string
  /** The kind of value that was found. */
  readonly found?: string
  /** The kind of value that is expected. */
  readonly expected?: string
  /** How to solve the problem. */
  readonly fix: string
}

/** Appends a step to a JSON pointer, escaped as RFC 6901 requires. */
export function pointerTo(parent: string, key: string | number): string {
  const step = String(key)
  return /[~/]/.test(step)
    ? `${parent}/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`
    : `${parent}/${step}`
}

/** An issue in one line: location, problem and fix. */
export function describeIssue({ file, line, column = 1, message, fix }: Issue): string {
  const location = line === undefined ? file : `${file}:${line}:${column}`
  return `${location}: ${message}; ${fix}`
}
