import { defaultTextPolicy, type TextPolicy } from '@toolbridge/client/internal'
import type { Policy } from '../config/spec/policy.ts'

/** How results are processed before they reach the caller. */
export interface ResultPolicy extends TextPolicy {
  /** Whether a failed call rejects (`throw`) or resolves with an error result (`result`). Default: `throw`. */
  readonly protocolError: 'throw' | 'result'
  /** Number of characters above which a text is stored and replaced by an excerpt. Default: `Infinity` (never). */
  readonly maxCharacters: number
  /** The same limit for the base64 text of each image, audio or file. Default: `Infinity`. */
  readonly maxMediaCharacters: number
  /** Number of characters of all stored results; the least recently read are dropped. Default: 64 Mi. */
  readonly keptCharacters: number
}

/** The defaults of `ResultPolicy`. */
export const defaultResultPolicy: ResultPolicy = {
  ...defaultTextPolicy,
  protocolError: 'throw',
  maxCharacters: Number.POSITIVE_INFINITY,
  maxMediaCharacters: Number.POSITIVE_INFINITY,
  keptCharacters: 64 * 1024 * 1024,
}

/** Completes a policy with defaults. Throws a `RangeError` for limits that are too small for an excerpt. */
export function resultPolicy(choices: Partial<ResultPolicy> = {}): ResultPolicy {
  const policy = { ...defaultResultPolicy, ...choices }
  if (!(policy.maxCharacters >= 500)) throw new RangeError('maxCharacters must be at least 500')
  if (!(policy.maxMediaCharacters >= 0)) throw new RangeError('maxMediaCharacters must not be negative')
  if (!(policy.keptCharacters >= 0)) throw new RangeError('keptCharacters must not be negative')
  return policy
}

/** The result settings of a policy. */
export function resultChoices(policy: Partial<Policy>): Partial<ResultPolicy> {
  const { 'result.text': text, 'result.unknown': unknown, 'result.media': media } = policy
  const { 'result.structured': structured, 'result.protocolError': protocolError } = policy
  return {
    ...(text === undefined ? {} : { text }),
    ...(unknown === undefined ? {} : { unknown }),
    ...(media === undefined ? {} : { media }),
    ...(structured === undefined ? {} : { structured }),
    ...(protocolError === undefined ? {} : { protocolError }),
  }
}
