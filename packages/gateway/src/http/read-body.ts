import { isTooDeep, MAX_DEPTH } from '@toolbridge/client/internal'
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
  return parsedBy(schema, parseJson(await readText(context)))
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

/** Reads the request body as text. Throws a `GatewayError` if recursive code could not handle its nesting. */
export async function readText(context: Context): Promise<string> {
  const text = await context.req.text()
  if (mayBeTooDeep(text) && isTooDeep(parseJson(text))) {
    throw new GatewayError('invalid_request', `the request is nested deeper than ${MAX_DEPTH} levels`)
  }
  if (mayNamePrototype(text) && namesPrototype(parseJson(text))) {
    throw new GatewayError('invalid_request', prototypeRefused)
  }
  return text
}

/** Whether a JSON text has enough brackets of one kind to be nested too deep. Much cheaper than a look at its value. */
function mayBeTooDeep(text: string): boolean {
  return ['{', '['].some((bracket) => text.split(bracket, MAX_DEPTH).length > MAX_DEPTH / 2)
}

/** The message for a request that uses the name `__proto__`, which Zod would drop silently, at any depth. */
export const prototypeRefused = 'the name "__proto__" cannot be used'

/** Whether a JSON text can contain the name `__proto__`. Much cheaper than a look at its value. */
export function mayNamePrototype(text: string): boolean {
  return /__proto__|\\u005f/i.test(text)
}

/** Whether a value that is not nested too deep has a member named `__proto__`, at any depth. */
export function namesPrototype(value: unknown): boolean {
  return isTooDeep(value, MAX_DEPTH, '__proto__')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new GatewayError('malformed_json', 'the request body must be a JSON document')
  }
}
