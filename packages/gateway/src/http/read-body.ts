import type { Context } from 'hono'
import { GatewayError } from '../errors/gateway-error.ts'
import { issuesOf, type SchemaIssue } from '../errors/issues.ts'

/** The part of a Zod schema that is used here. */
interface Schema<T> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: T }
    | { readonly success: false; readonly error: { readonly issues: readonly SchemaIssue[] } }
}

/** Parses the request body with `schema`. Throws a `GatewayError` that lists every issue. */
export async function readBody<T>(context: Context, schema: Schema<T>): Promise<T> {
  const parsed = schema.safeParse(parseJson(await context.req.text()))
  if (parsed.success) return parsed.data
  throw new GatewayError(
    'invalid_request',
    'the request does not have the expected shape',
    issuesOf(parsed.error),
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new GatewayError('malformed_json', 'the request body must be a JSON document')
  }
}
