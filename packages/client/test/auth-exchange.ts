import { inspect } from 'node:util'
import { type AuthRequest, type AuthResponse, McpAuthError } from '../src/auth/exchange.ts'

/** An answer with a JSON body, or with text as it is. */
export function answer(
  body: unknown,
  { status = 200, type = 'application/json' }: { readonly status?: number; readonly type?: string } = {},
): AuthResponse {
  return {
    status,
    headers: type === '' ? {} : { 'content-type': type },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }
}

/** The parameters of a form request. */
export function formOf(request: AuthRequest): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(request.body))
}

/** The error of authorization that something fails with; whatever else it does fails the test. */
export async function authFailure(action: () => unknown): Promise<McpAuthError> {
  try {
    await action()
  } catch (error) {
    if (error instanceof McpAuthError) return error
    throw error
  }
  throw new Error('it did not fail')
}

/** Everything that a log could show of an error. */
export function allTextOf(error: McpAuthError): string {
  return [
    String(error),
    error.stack,
    JSON.stringify(error),
    inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true }),
    inspect(error.cause, { depth: Number.POSITIVE_INFINITY, showHidden: true }),
  ].join('\n')
}

/** A header and claims of a compact JWS, without any check. */
export function decodedJwt(jwt: string): {
  readonly header: Record<string, unknown>
  readonly claims: Record<string, unknown>
} {
  const [header = '', claims = ''] = jwt.split('.')
  return { header: decodedPart(header), claims: decodedPart(claims) }
}

function decodedPart(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
}
