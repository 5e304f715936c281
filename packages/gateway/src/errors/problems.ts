import { randomUUID } from 'node:crypto'
import type { Problem, ProblemIssue } from '@toolbridge/api'
import {
  ConfigError,
  type ConfigErrorCode,
  DeniedError,
  type DeniedErrorCode,
  UnknownToolError,
} from '@toolbridge/bridge'
import { McpError, type McpErrorKind } from '@toolbridge/client'
import { McpAuthError } from '@toolbridge/client/auth'
import { isDiskFull } from '@toolbridge/client/internal'
import { LockboxError, type LockboxErrorCode, SealError, type SealErrorCode } from '@toolbridge/lockbox'
import { GatewayError, type GatewayErrorCode } from './gateway-error.ts'
import { shortened } from './shortened.ts'

/** The HTTP response to one kind of error. */
export interface ProblemKind {
  readonly code: string
  readonly status: number
  readonly title: string
}

/**
 * Maps every code of every error family to its response. A server that rejects our credentials is a 502 and not a 401,
 * because the caller's credentials are valid.
 */
export const problemTable: {
  readonly mcp: Readonly<Record<McpErrorKind, ProblemKind>>
  readonly denied: Readonly<Record<DeniedErrorCode, ProblemKind>>
  readonly config: Readonly<Record<ConfigErrorCode, ProblemKind>>
  readonly seal: Readonly<Record<SealErrorCode, ProblemKind>>
  readonly lockbox: Readonly<Record<LockboxErrorCode, ProblemKind>>
  readonly gateway: Readonly<Record<GatewayErrorCode, ProblemKind>>
} = {
  mcp: {
    peer: { code: 'peer_refused', status: 502, title: 'The server answered with an error' },
    timeout: { code: 'timed_out', status: 504, title: 'The server did not answer in time' },
    closed: { code: 'connection_lost', status: 502, title: 'The connection to the server was lost' },
    unreachable: { code: 'unreachable', status: 502, title: 'The server cannot be reached' },
    unauthorized: { code: 'unauthorized', status: 502, title: 'The server rejected the credentials' },
    malformed: { code: 'malformed_message', status: 502, title: 'The server sent an invalid message' },
    unsupported: { code: 'unsupported', status: 502, title: 'The server does not support this' },
  },
  denied: {
    denied: { code: 'denied', status: 403, title: 'A rule denies this call' },
    approval_refused: { code: 'approval_refused', status: 403, title: 'The call was not approved' },
    approval_expired: { code: 'approval_expired', status: 403, title: 'Nobody approved the call in time' },
    no_answerer: { code: 'no_answerer', status: 403, title: 'No one is available to approve the call' },
    untrusted: { code: 'untrusted', status: 403, title: 'The server is not trusted' },
    quota_exceeded: { code: 'quota_exceeded', status: 429, title: 'The connection limit is reached' },
    destination_changed: {
      code: 'destination_changed',
      status: 403,
      title: 'A stored value was entered for another destination',
    },
  },
  config: {
    config_invalid: { code: 'config_invalid', status: 422, title: 'The settings are invalid' },
    secret_missing: { code: 'secret_missing', status: 422, title: 'A secret is missing' },
  },
  seal: {
    wrong_key: { code: 'wrong_key', status: 500, title: 'The settings are encrypted with another key' },
    damaged: { code: 'damaged', status: 500, title: 'An encrypted value is damaged' },
    unknown_version: {
      code: 'unknown_version',
      status: 500,
      title: 'A newer version of Toolbridge encrypted this value',
    },
  },
  lockbox: {
    version_conflict: {
      code: 'version_conflict',
      status: 409,
      title: 'The settings were changed in the meantime',
    },
    version_not_found: { code: 'version_not_found', status: 404, title: 'The version does not exist' },
    limit_exceeded: { code: 'limit_exceeded', status: 422, title: 'A limit of the store is exceeded' },
    new_key_missing: { code: 'new_key_missing', status: 409, title: 'There is no new key to rotate to' },
    lockbox_in_use: { code: 'lockbox_in_use', status: 503, title: 'The store is open in another process' },
    migration_failed: {
      code: 'migration_failed',
      status: 500,
      title: 'The store could not be migrated',
    },
    unreachable: { code: 'lockbox_unreachable', status: 503, title: 'The store cannot be reached' },
  },
  gateway: {
    unauthenticated: { code: 'unauthenticated', status: 401, title: 'Sign in first' },
    forbidden: { code: 'forbidden', status: 403, title: 'Your role does not permit this' },
    host_not_allowed: {
      code: 'host_not_allowed',
      status: 403,
      title: 'The gateway is not served under this host name',
    },
    origin_not_allowed: {
      code: 'origin_not_allowed',
      status: 403,
      title: 'Requests from this web origin are not allowed',
    },
    not_found: { code: 'not_found', status: 404, title: 'The page does not exist' },
    unknown_server: { code: 'unknown_server', status: 404, title: 'The server does not exist' },
    diagnosis_running: {
      code: 'diagnosis_running',
      status: 409,
      title: 'Another diagnosis is running',
    },
    unknown_sign_in: { code: 'unknown_sign_in', status: 404, title: 'The sign-in does not exist' },
    no_sign_in: { code: 'no_sign_in', status: 409, title: 'The server asks for no sign-in' },
    unknown_tool: { code: 'unknown_tool', status: 404, title: 'The tool does not exist' },
    unknown_key: { code: 'unknown_key', status: 404, title: 'The API key does not exist' },
    unknown_call: { code: 'unknown_call', status: 404, title: 'The call is not in the activity' },
    unknown_grant: { code: 'unknown_grant', status: 404, title: 'The grant does not exist' },
    unknown_pin: { code: 'unknown_pin', status: 404, title: 'The tool is not pinned' },
    unknown_credential: { code: 'unknown_credential', status: 404, title: 'The value is not stored' },
    too_many_keys: { code: 'too_many_keys', status: 409, title: 'There are too many API keys' },
    too_many_subscriptions: {
      code: 'too_many_subscriptions',
      status: 409,
      title: 'There are too many subscriptions to resources',
    },
    too_many_streams: { code: 'too_many_streams', status: 429, title: 'There are too many event streams' },
    question_not_open: { code: 'question_not_open', status: 404, title: 'The question is not open' },
    body_too_large: { code: 'body_too_large', status: 413, title: 'The request is too large' },
    not_json: { code: 'not_json', status: 415, title: 'The request is not sent as JSON' },
    malformed_json: { code: 'malformed_json', status: 400, title: 'The request is not valid JSON' },
    invalid_request: { code: 'invalid_request', status: 422, title: 'The request is invalid' },
    destination_unconfirmed: {
      code: 'destination_unconfirmed',
      status: 422,
      title: 'Saved secrets would be sent elsewhere',
    },
    invalid_answer: { code: 'invalid_answer', status: 422, title: 'The answer is invalid' },
    issuer_unreachable: {
      code: 'issuer_unreachable',
      status: 503,
      title: 'The issuer of the tokens does not respond',
    },
    rate_limited: { code: 'rate_limited', status: 429, title: 'There are too many requests' },
    too_many_calls: { code: 'too_many_calls', status: 429, title: 'There are too many running calls' },
    too_many_sign_ins: {
      code: 'too_many_sign_ins',
      status: 429,
      title: 'There are too many failed sign-ins',
    },
    not_ready: { code: 'not_ready', status: 503, title: 'The gateway is not ready' },
    stopping: { code: 'stopping', status: 503, title: 'The gateway is stopping' },
  },
}

/** Returns the problem document of an error of a known family, or undefined for any other error, which is a bug. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof GatewayError)
    return { ...problem(problemTable.gateway[error.code], error.message, error.issues), ...error.details }
  if (error instanceof McpError) return problem(problemTable.mcp[error.kind], error.message)
  if (error instanceof McpAuthError) return problem(authProblem(error), error.message)
  if (error instanceof DeniedError) return problem(problemTable.denied[error.code], error.message)
  if (error instanceof UnknownToolError) return problem(problemTable.gateway.unknown_tool, error.message)
  if (error instanceof ConfigError) return configProblem(error)
  if (error instanceof SealError) return problem(problemTable.seal[error.code], error.message)
  if (error instanceof LockboxError) return lockboxProblem(error)
  if (isDiskFull(error)) return problem(storageFull, 'free disk space and try again')
  return undefined
}

const storageFull: ProblemKind = { code: 'storage_full', status: 507, title: 'The disk is full' }

/** Logs an error of no known family and returns a document that names only the id of the log line. */
export function loggedBug(error: unknown, log: (line: string) => void): Problem {
  const id = randomUUID()
  log(`error ${id}: ${error instanceof Error ? (error.stack ?? error.message) : typeof error}`)
  return problem(
    { code: 'internal', status: 500, title: 'Internal error of the gateway' },
    `see the gateway's log for ${id}`,
  )
}

/** Authorization with a server failed: always a 502. */
function authProblem({ code }: McpAuthError): ProblemKind {
  return { code: `auth_${code}`, status: 502, title: 'Signing in to the server failed' }
}

function configProblem(error: ConfigError): Problem {
  const issues = error.issues.map((issue) => ({ ...issue, message: `${issue.message}; ${issue.fix}` }))
  return problem(problemTable.config[error.code], error.message, issues)
}

function lockboxProblem(error: LockboxError): Problem {
  const { expectedVersion: expected, currentVersion: current } = error.data
  const document = problem(problemTable.lockbox[error.code], error.message)
  if (typeof expected !== 'number' || typeof current !== 'number') return document
  return { ...document, versions: { expected, current } }
}

/** More do not help a person, and the rest may be megabytes. */
const maxIssues = 100

function problem(kind: ProblemKind, detail: string, issues: readonly ProblemIssue[] = []): Problem {
  const { code, status, title } = kind
  const type = `urn:toolbridge:problem:${code}`
  return {
    type,
    title,
    status,
    code,
    detail: shortened(detail),
    ...(issues.length > 0 ? { issues: issues.slice(0, maxIssues).map(shownIssue) } : {}),
  }
}

function shownIssue({ path, message, line, column }: ProblemIssue): ProblemIssue {
  return {
    path: shortened(path),
    message: shortened(message),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  }
}
