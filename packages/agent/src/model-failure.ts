import { hasErrorCode, printable } from '@toolbridge/client/internal'
import {
  AISDKError,
  APICallError,
  EmptyResponseBodyError,
  InvalidResponseDataError,
  JSONParseError,
  NoOutputGeneratedError,
  RetryError,
  TypeValidationError,
} from 'ai'
import { ModelError } from './model-error.ts'
import type { Model } from './models/open-model.ts'

/** Longer messages of providers are truncated. */
const maxMessageLength = 300

/** The error of a request to a provider. Has no cause: that would have the request, with the conversation and the key. */
export function modelFailure({ name, redact = (text) => text }: Model, thrown: unknown): ModelError {
  const error: unknown = RetryError.isInstance(thrown) ? thrown.lastError : thrown
  const show: Show = (message) => printable(redact(message), { maxLength: maxMessageLength })
  return new ModelError('failed', `${name}: ${reasonOf(error, show)}`)
}

/** Makes the text of a provider fit to be shown. */
type Show = (message: string) => string

function reasonOf(error: unknown, show: Show): string {
  if (APICallError.isInstance(error)) return reasonOfResponse(error, show)
  // Their messages quote the answer.
  if (unreadable.some((kind) => kind.isInstance(error))) return unreadableAnswer
  if (AISDKError.isInstance(error)) return show(error.message)
  if (hasErrorCode(error, 'ECONNRESET')) return lostAnswer
  if (error instanceof TypeError) return error.cause === undefined ? unreadableAnswer : lostAnswer
  return `the provider reported an error: ${show(messageOf(error))}`
}

const unreadableAnswer = 'the answer cannot be read'
const lostAnswer = 'the connection was lost before the answer ended'
/** Messages of the AI SDK that a provider's package puts in an error of its own. */
const quotesAnswer = /^(?:JSON parsing|Type validation) failed: /

const unreadable = [
  EmptyResponseBodyError,
  InvalidResponseDataError,
  JSONParseError,
  NoOutputGeneratedError,
  TypeValidationError,
]

function reasonOfResponse({ statusCode, message, cause }: APICallError, show: Show): string {
  if (statusCode === undefined)
    return `no answer: ${show(message.replace(/^Cannot connect to API: /, ''))}. Check the network and the base URL`
  if (quotesAnswer.test(message)) return unreadableAnswer
  if (statusCode < 300) return AISDKError.isInstance(cause) ? unreadableAnswer : lostAnswer
  if (statusCode < 400)
    return `the provider answered ${statusCode}, a redirect, which is not followed. Check the base URL`
  return `the provider answered ${statusCode}: ${show(message)}${adviceFor(statusCode)}`
}

function adviceFor(statusCode: number): string {
  if (statusCode === 401 || statusCode === 403) return '. Check the key'
  if (statusCode === 404) return '. Check the name of the model and the base URL'
  if (statusCode === 429) return '. Wait, or check the quota of the key'
  return statusCode >= 500 ? '. Try again later' : ''
}

/** Errors in the middle of a stream are what the provider sent: a text, or an object with a message. */
function messageOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error)
  if ('message' in error && typeof error.message === 'string') return error.message
  return 'error' in error ? messageOf(error.error) : 'unknown error'
}
