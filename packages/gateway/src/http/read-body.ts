import { jsonFault, type JsonLimits } from '@toolbridge/client/internal'
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

/** Of definitions of servers: a check of one of their values takes as long as ten of others. */
export const settingsLimits: JsonLimits = { maxValues: 10_000 }

/** Parses the request body with `schema`. Throws a `GatewayError` that lists every issue. */
export async function readBody<T>(context: Context, schema: Schema<T>, limits?: JsonLimits): Promise<T> {
  return parsedBy(schema, parseJson(await readText(context, limits)))
}

/** Parses the query with `schema`. Throws a `GatewayError` that lists every issue. */
export function readQuery<T>(context: Context, schema: Schema<T>): T {
  return parsedBy(schema, context.req.query())
}

function parsedBy<T>(schema: Schema<T>, value: unknown): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new GatewayError(
    'invalid_request',
    'the request does not have the expected shape',
    issuesOf(parsed.error),
  )
}

/** Reads the request body as text. Throws a `GatewayError` if other readers would understand it differently, or it is too much. */
export async function readText(context: Context, limits?: JsonLimits): Promise<string> {
  const text = await context.req.text()
  const fault = jsonFault(text, limits)
  if (fault !== undefined) throw new GatewayError('invalid_request', fault.message)
  return text
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new GatewayError('malformed_json', 'the request body must be a JSON document')
  }
}
