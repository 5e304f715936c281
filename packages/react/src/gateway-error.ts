import type { DestinationChange, Problem, ProblemIssue } from '@toolbridge/api'

/**
 * Kind of a `GatewayError`. After `unreachable`, `timed_out` and `malformed` it is unknown whether the request took effect;
 * the others are responses of the gateway.
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

/** A request to the gateway failed. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError'
  /** Kind of the failure. */
  readonly kind: GatewayErrorKind
  /** Code of the gateway's problem document; the kind if the gateway sent none. */
  readonly code: string
  /** Issues of an invalid request. */
  readonly issues: readonly ProblemIssue[]
  /** With the code `destination_unconfirmed`: changes to show the person, and to repeat if they agree. */
  readonly destinations: readonly DestinationChange[]

  constructor(kind: GatewayErrorKind, message: string, details: GatewayErrorDetails = {}) {
    super(message, { cause: details.cause })
    this.kind = kind
    this.code = details.code ?? kind
    this.issues = details.issues ?? []
    this.destinations = details.destinations ?? []
  }
}

/** Details of a `GatewayError`. */
export interface GatewayErrorDetails {
  /** Default: the kind. */
  readonly code?: string | undefined
  /** Default: none. */
  readonly issues?: readonly ProblemIssue[] | undefined
  /** Default: none. */
  readonly destinations?: readonly DestinationChange[] | undefined
  /** Default: none. */
  readonly cause?: unknown
}

/** Converts an error response to an error. Without a problem document, the message contains the status. */
export async function errorOf(response: Response): Promise<GatewayError> {
  const problem = await problemOf(response)
  const message = problem?.detail ?? problem?.title ?? `the gateway answered with status ${response.status}`
  const { code, issues, destinations } = problem ?? {}
  return new GatewayError(kindOf(response.status), message, { code, issues, destinations })
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
