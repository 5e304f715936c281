import type { Policy } from '../config/spec/policy.ts'

/** What becomes of results on their way to whoever called. */
export interface ResultPolicy {
  /** What stands between two texts. */
  readonly text: 'newline' | 'concat'
  /** Blocks of a type that is not known. */
  readonly unknown: 'json' | 'drop'
  /** Pictures, sound and files: what they are, their JSON, or a word in their place. */
  readonly media: 'parts' | 'json' | 'placeholder'
  /**
   * When structured content is read as text: where there is no other content, or always. `validate`: as `fallback`, and a
   * result that is not what its tool promised becomes an error.
   */
  readonly structured: 'fallback' | 'always' | 'validate'
  /** Whether a call that fails on the way rejects, or resolves with an error that a model can read. */
  readonly protocolError: 'throw' | 'result'
  /** Characters of text above which the bridge keeps a result, and an excerpt takes its place. `Infinity` for never. */
  readonly maxCharacters: number
  /** The same for the base64 text of each picture, sound or file. */
  readonly maxMediaCharacters: number
  /** Characters of all results that are kept at once; the oldest make room. */
  readonly keptCharacters: number
}

export const defaultResultPolicy: ResultPolicy = {
  text: 'newline',
  unknown: 'json',
  media: 'parts',
  structured: 'fallback',
  protocolError: 'throw',
  maxCharacters: Number.POSITIVE_INFINITY,
  maxMediaCharacters: Number.POSITIVE_INFINITY,
  keptCharacters: 64 * 1024 * 1024,
}

/** Completes a policy; throws a `RangeError` for limits that leave no room for an excerpt. */
export function resultPolicy(choices: Partial<ResultPolicy> = {}): ResultPolicy {
  const policy = { ...defaultResultPolicy, ...choices }
  if (!(policy.maxCharacters >= 500)) throw new RangeError('maxCharacters must be at least 500')
  if (!(policy.maxMediaCharacters >= 0)) throw new RangeError('maxMediaCharacters must not be negative')
  if (!(policy.keptCharacters >= 0)) throw new RangeError('keptCharacters must not be negative')
  return policy
}

/** What a policy record says of results. */
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
