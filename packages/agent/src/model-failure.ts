import { APICallError, RetryError } from 'ai'
import { ModelError } from './model-error.ts'

/** The error of a request to a provider, without the request, which has the conversation and may have a key. */
export function modelFailure(model: string, thrown: unknown): ModelError {
  const error: unknown = RetryError.isInstance(thrown) ? thrown.lastError : thrown
  return new ModelError('failed', `${model}: ${reasonOf(error)}`)
}

function reasonOf(error: unknown): string {
  if (!APICallError.isInstance(error)) return error instanceof Error ? error.message : String(error)
  const { statusCode, message } = error
  if (statusCode === undefined) return `no answer: ${message}`
  const hint = statusCode === 401 || statusCode === 403 ? '. Check the key' : ''
  return `the provider answered ${statusCode}: ${message}${hint}`
}
