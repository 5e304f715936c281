import { UsageError } from './usage-error.ts'

/** The error for options of `serve` that belong together: one is given, and some of the required ones, by name, are not. */
export function incomplete(
  given: string,
  required: Readonly<Record<string, string | undefined>>,
): UsageError {
  const missing = Object.keys(required).filter((name) => required[name] === undefined)
  const names = missing.map((name) => `--${name}`).join(' and ')
  return new UsageError(`--${given} needs ${names}. See: toolbridge serve --help`)
}
