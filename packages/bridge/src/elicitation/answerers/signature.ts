import { createHmac, timingSafeEqual } from 'node:crypto'

/** A body, and the proof of when and by whom it was sent. */
export interface SignedBody {
  readonly body: string
  /** Seconds since the epoch. */
  readonly timestamp: string
  readonly signature: string
}

/** Messages older than this, or from the future, are not taken. */
const maxAgeSeconds = 300

/** Signs a body for somebody who has the same secret. */
export function signBody(body: string, secret: string, now: number): SignedBody {
  const timestamp = String(Math.floor(now / 1_000))
  return { body, timestamp, signature: signatureOf(body, timestamp, secret) }
}

/** Whether a body was signed with the secret, not long ago. */
export function isSigned({ body, timestamp, signature }: SignedBody, secret: string, now: number): boolean {
  const ageSeconds = Math.abs(now / 1_000 - Number(timestamp))
  if (!(ageSeconds <= maxAgeSeconds)) return false
  const expected = Buffer.from(signatureOf(body, timestamp, secret))
  const given = Buffer.from(signature)
  return expected.length === given.length && timingSafeEqual(expected, given)
}

function signatureOf(body: string, timestamp: string, secret: string): string {
  return `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
}
