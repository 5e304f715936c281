import type { ProblemIssue } from '@toolbridge/api'
import type { Context } from 'hono'
import { GatewayError } from '../errors/gateway-error.ts'

/** A schema of the API, as far as this file uses one. */
interface Schema<T> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: T }
    | { readonly success: false; readonly error: { readonly issues: readonly SchemaIssue[] } }
}

interface SchemaIssue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** Reads the request's body as the schema wants it; throws a `GatewayError` with every issue otherwise. */
export async function readBody<T>(context: Context, schema: Schema<T>): Promise<T> {
  const parsed = schema.safeParse(parseJson(await context.req.text()))
  if (parsed.success) return parsed.data
  throw new GatewayError(
    'invalid_request',
    'the request does not have the expected shape',
    issuesOf(parsed.error),
  )
}

/** The issues of a schema as the API shows them. */
export function issuesOf(error: { readonly issues: readonly SchemaIssue[] }): readonly ProblemIssue[] {
  return error.issues.map(({ path, message }) => ({ path: path.map(pointerStep).join(''), message }))
}

/** One step of a JSON pointer, escaped as RFC 6901 asks. */
export function pointerStep(key: PropertyKey): string {
  return `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new GatewayError('malformed_json', 'the request body must be a JSON document')
  }
}
