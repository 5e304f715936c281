import { randomBase64url, sha256Base64url } from '../crypto/base64url.ts'
import type { JsonWebKey } from '../messages/oauth-documents.ts'
import type { AuthRequest } from '../messages/auth-request.ts'
import { signJwt } from '../crypto/jwt.ts'
import { generateKeyPair, importSigningKey, type SigningKey } from '../crypto/signing-key.ts'

/** A key that tokens are bound to (RFC 9449). */
export interface DpopKey {
  /** Stored with the tokens that are bound to it. */
  readonly privateJwk: JsonWebKey
  readonly publicJwk: JsonWebKey
  /** The RFC 7638 thumbprint, `dpop_jkt` of an authorization request. */
  readonly thumbprint: string
  readonly signingKey: SigningKey
}

/** The request that a proof is for. */
export interface DpopProofTarget {
  readonly method: string
  /** The proof covers it without query and fragment. */
  readonly url: string
  /** The token of the request, for requests to a resource. */
  readonly accessToken?: string | undefined
  /** The latest nonce of the server. */
  readonly nonce?: string | undefined
}

/** A new key for ES256. */
export async function createDpopKey(): Promise<DpopKey> {
  return importDpopKey(await generateKeyPair('ES256'))
}

/** Imports a stored key. Throws `key_invalid` or `algorithm_unsupported`. */
export async function importDpopKey(privateJwk: JsonWebKey): Promise<DpopKey> {
  const signingKey = await importSigningKey(privateJwk)
  const publicJwk = publicPart(privateJwk)
  return { privateJwk, publicJwk, thumbprint: await jwkThumbprint(publicJwk), signingKey }
}

/** A proof for one request; it cannot be reused (RFC 9449 section 4.2). */
export async function dpopProof(key: DpopKey, target: DpopProofTarget): Promise<string> {
  const { origin, pathname } = new URL(target.url)
  const claims = {
    jti: randomBase64url(),
    htm: target.method,
    htu: `${origin}${pathname}`,
    iat: Math.floor(Date.now() / 1000),
    ...(target.accessToken !== undefined && { ath: await sha256Base64url(target.accessToken) }),
    ...(target.nonce !== undefined && { nonce: target.nonce }),
  }
  return signJwt(key.signingKey, { typ: 'dpop+jwt', jwk: key.publicJwk }, claims)
}

/** The request with a proof in its headers. */
export async function withDpopProof(
  request: AuthRequest,
  key: DpopKey,
  nonce?: string,
): Promise<AuthRequest> {
  const dpop = await dpopProof(key, { method: request.method, url: request.url, nonce })
  return { ...request, headers: { ...request.headers, dpop } }
}

/** The nonce in a response, for the next proofs to that server; undefined if there is no valid one. */
export function dpopNonceOf(headers: Readonly<Record<string, string>>): string | undefined {
  const nonce = headers['dpop-nonce']
  return nonce !== undefined && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(nonce) ? nonce : undefined
}

/** The SHA-256 thumbprint of a public key (RFC 7638): its required members only, in alphabetical order. */
export async function jwkThumbprint(key: JsonWebKey): Promise<string> {
  const { kty, crv, e, n, x, y } = key
  const required = kty === 'RSA' ? { e, kty, n } : kty === 'EC' ? { crv, kty, x, y } : { crv, kty, x }
  return sha256Base64url(JSON.stringify(required))
}

function publicPart({ kty, crv, x, y, e, n }: JsonWebKey): JsonWebKey {
  return {
    kty,
    ...(crv !== undefined && { crv }),
    ...(x !== undefined && { x }),
    ...(y !== undefined && { y }),
    ...(e !== undefined && { e }),
    ...(n !== undefined && { n }),
  }
}
