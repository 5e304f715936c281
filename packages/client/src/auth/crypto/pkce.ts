import { randomBase64url, sha256Base64url } from './base64url.ts'

/** A secret and its hash: the hash goes with the person, the secret with the code (RFC 7636). */
export interface Pkce {
  readonly verifier: string
  readonly challenge: string
}

/** A fresh verifier with its S256 challenge. */
export async function createPkce(): Promise<Pkce> {
  const verifier = randomBase64url()
  return { verifier, challenge: await codeChallenge(verifier) }
}

/** The S256 challenge of a verifier. */
export async function codeChallenge(verifier: string): Promise<string> {
  return sha256Base64url(verifier)
}

/** A fresh `state`: as hard to guess as a verifier. */
export function createState(): string {
  return randomBase64url()
}

/** Whether two texts are the same, in a time that does not tell where they differ. */
export function equalsInConstantTime(one: string, other: string): boolean {
  const [a, b] = [new TextEncoder().encode(one), new TextEncoder().encode(other)]
  let difference = a.length ^ b.length
  for (let index = 0; index < a.length; index += 1) difference |= (a[index] ?? 0) ^ (b[index] ?? 0)
  return difference === 0
}
