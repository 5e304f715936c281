import { McpError } from '@toolbridge/client'
import { isAuthError } from '../../auth-error.ts'
import { ConfigError, DeniedError } from '../../errors.ts'
import type { EventFailure } from './events.ts'

/** Classifies an error. `signal`: the caller's, to recognize a cancellation. */
export function failureOf(error: unknown, signal?: AbortSignal): EventFailure {
  if (signal?.aborted === true && error === signal.reason) return { kind: 'cancelled' }
  if (error instanceof McpError) return { kind: error.kind, code: error.code }
  if (isAuthError(error)) return { kind: 'unauthorized', code: error.code }
  if (error instanceof DeniedError) return { kind: 'denied', code: error.code }
  if (error instanceof ConfigError) return { kind: 'configuration', code: error.code }
  return { kind: 'other' }
}

/** The message of a journaled error without the code before it. */
export function messageWithoutCode(error: string, failure: EventFailure | undefined): string {
  if (failure === undefined || !('code' in failure)) return error
  const prefixes = [`${failure.kind} ${failure.code}: `, `${failure.code}: `]
  const prefix = prefixes.find((text) => error.startsWith(text)) ?? ''
  return error.slice(prefix.length)
}
