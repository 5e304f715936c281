import { createHmac } from 'node:crypto'
import { isJsonObject } from '@toolbridge/client/internal'

/** Path at which a gateway names its running servers; each is reached at its signed key below it. */
export const reusePath = '/reuse'

/** The response of a gateway about its running servers. It says nothing to callers without the owner token. */
export interface ReuseAnswer {
  /** The nonce of the request, signed: proves that the gateway knows the owner token. */
  readonly proof: string
  /** The `reuseKey` of each server, signed. */
  readonly servers: readonly string[]
}

/** Signs a text with the owner token. */
export type SignText = (text: string) => string

/** Returns what signs with an owner token. The prefix keeps nonces and keys apart. */
export function signerOf(token: string): { readonly nonce: SignText; readonly key: SignText } {
  const sign = (text: string): string => createHmac('sha256', token).update(text).digest('base64url')
  return { nonce: (text) => sign(`nonce ${text}`), key: (text) => sign(`key ${text}`) }
}

/** Reads the response. Undefined if it is not one. */
export function readReuseAnswer(text: string): ReuseAnswer | undefined {
  const answer: unknown = JSON.parse(text)
  if (!isJsonObject(answer)) return undefined
  const { proof, servers } = answer
  return typeof proof === 'string' && Array.isArray(servers)
    ? { proof, servers: servers.filter((each) => typeof each === 'string') }
    : undefined
}
