import { McpError } from '@toolbridge/client'
import { ConfigError, DeniedError } from '../errors.ts'
import type { Failure } from './events.ts'

/** Says what an error is. `signal` is the one of whoever wanted what failed. */
export function failureOf(error: unknown, signal?: AbortSignal): Failure {
  if (signal?.aborted === true && error === signal.reason) return { kind: 'cancelled' }
  if (error instanceof McpError) return { kind: error.kind, code: error.code }
  if (error instanceof DeniedError) return { kind: 'denied', code: error.code }
  if (error instanceof ConfigError) return { kind: 'configuration', code: error.code }
  return { kind: 'other' }
}
