import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Returns 256 random bits as text. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * Returns the SHA-256 digest of a secret. A slow hash would add nothing: it protects passwords, which can be guessed, and
 * ours have 256 random bits.
 */
export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** Returns a function that compares texts with a secret in constant time. */
export function secretCheck(secret: string): (text: string) => boolean {
  const expected = digestOf(secret)
  return (text) => timingSafeEqual(expected, digestOf(text))
}
