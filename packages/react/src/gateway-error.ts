import type { Problem, ProblemIssue } from '@toolbridge/api'

/**
 * Why a request to the gateway gave no result. `unreachable`, `timed_out` and `malformed` mean that nobody knows whether it
 * took effect; the others are the gateway's own answer.
 */
export type GatewayErrorKind =
  | 'unreachable'
  | 'timed_out'
  | 'malformed'
  | 'unauthorized'
  | 'refused'
  | 'conflict'
  | 'invalid'
  | 'failed'

/** A request to the gateway failed. `code` is the gateway's own where it answered, the kind otherwise. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError'
  readonly kind: GatewayErrorKind
  readonly code: string
  readonly issues: readonly ProblemIssue[]

  constructor(kind: GatewayErrorKind, message: string, details: GatewayErrorDetails = {}) {
    super(message, { cause: details.cause })
    this.kind = kind
    this.code = details.code ?? kind
    this.issues = details.issues ?? []
  }
}

/** What is known about a failure beyond its kind. */
export interface GatewayErrorDetails {
  readonly code?: string | undefined
  readonly issues?: readonly ProblemIssue[] | undefined
  readonly cause?: unknown
}

/** Turns an answer that is not a success into an error; an answer without a problem document keeps its status. */
export async function errorOf(response: Response): Promise<GatewayError> {
  const problem = await problemOf(response)
  const message = problem?.detail ?? problem?.title ?? `the gateway answered with status ${response.status}`
  return new GatewayError(kindOf(response.status), message, { code: problem?.code, issues: problem?.issues })
}

function kindOf(status: number): GatewayErrorKind {
  if (status === 401) return 'unauthorized'
  if (status === 403) return 'refused'
  if (status === 409) return 'conflict'
  if (status === 400 || status === 413 || status === 422) return 'invalid'
  return 'failed'
}

async function problemOf(response: Response): Promise<Partial<Problem> | undefined> {
  if (!/\bjson\b/.test(response.headers.get('content-type') ?? '')) return undefined
  try {
    const body: unknown = await response.json()
    return typeof body === 'object' && body !== null ? body : undefined
  } catch {
    return undefined
  }
}
