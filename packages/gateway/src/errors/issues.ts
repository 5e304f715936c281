import type { ProblemIssue } from '@toolbridge/api'

/** One issue of a Zod schema. */
export interface SchemaIssue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** Converts the issues of a schema to the form of the HTTP API. */
export function issuesOf(error: { readonly issues: readonly SchemaIssue[] }): readonly ProblemIssue[] {
  return error.issues.map(({ path, message }) => ({ path: pointerTo(path), message }))
}

/** Returns the JSON pointer (RFC 6901) to the value under these keys. */
export function pointerTo(keys: readonly PropertyKey[]): string {
  return keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
