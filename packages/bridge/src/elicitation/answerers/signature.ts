import { createHmac, timingSafeEqual } from 'node:crypto'

/** A body with its timestamp and signature. */
export interface SignedBody {
  /** The body as it was sent. */
  readonly body: string
  /** Seconds since the epoch. */
  readonly timestamp: string
  /** Signature of timestamp and body. */
  readonly signature: string
}

/** Maximum difference between the timestamp and the current time. */
const maxAgeSeconds = 300

/** Signs a body with a shared secret. */
export function signBody(body: string, secret: string, now: number): SignedBody {
  const timestamp = String(Math.floor(now / 1_000))
  return { body, timestamp, signature: signatureOf(body, timestamp, secret) }
}

/** Returns whether a body was recently signed with the secret. */
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
