import { randomBase64url, sha256Base64url } from './base64url.ts'

/** A PKCE pair (RFC 7636): the challenge is sent with the authorization request, the verifier with the code. */
export interface Pkce {
  readonly verifier: string
  readonly challenge: string
}

/** A new verifier with its S256 challenge. */
export async function createPkce(): Promise<Pkce> {
  const verifier = randomBase64url()
  return { verifier, challenge: await codeChallenge(verifier) }
}

/** The S256 challenge of a verifier. */
export async function codeChallenge(verifier: string): Promise<string> {
  return sha256Base64url(verifier)
}

/** A new `state`, as hard to guess as a verifier. */
export function createState(): string {
  return randomBase64url()
}

/** Whether two strings are equal, in time that does not depend on where they differ. */
export function equalsInConstantTime(one: string, other: string): boolean {
  const [a, b] = [new TextEncoder().encode(one), new TextEncoder().encode(other)]
  let difference = a.length ^ b.length
  for (let index = 0; index < a.length; index += 1) difference |= (a[index] ?? 0) ^ (b[index] ?? 0)
  return difference === 0
}
