import { createHash, createPublicKey, verify } from 'node:crypto'

/** Expected claims of a proof. */
export interface ExpectedProof {
  readonly method: string
  readonly url: string
  readonly accessToken: string
  /** The thumbprint of the key that the token is bound to. */
  readonly thumbprint: string
}

interface ProofKey {
  readonly kty: 'EC'
  readonly crv: 'P-256'
  readonly x: string
  readonly y: string
}

const MAX_AGE_S = 300

/** Verifies ES256 proofs as a resource must (RFC 9449 section 4.3). Each proof is valid once. */
export function proofChecker(): (proof: string, expected: ExpectedProof) => boolean {
  const used = new Set<string>()
  return (proof, { method, url, accessToken, thumbprint }) => {
    const [head = '', payload = '', signature = ''] = proof.split('.')
    const { typ, alg, jwk } = decoded(head) as { typ?: string; alg?: string; jwk?: ProofKey }
    const claims = decoded(payload) as Partial<Record<'htm' | 'htu' | 'ath' | 'jti', string>> & {
      iat?: number
    }
    if (typ !== 'dpop+jwt' || alg !== 'ES256' || jwk === undefined || 'd' in jwk) return false
    const isNew = claims.jti !== undefined && !used.has(claims.jti)
    if (isNew) used.add(claims.jti ?? '')
    return (
      isNew &&
      claims.htm === method &&
      claims.htu === url &&
      claims.ath === sha256(accessToken) &&
      Math.abs(Date.now() / 1000 - (claims.iat ?? 0)) < MAX_AGE_S &&
      thumbprintOf(jwk) === thumbprint &&
      isSignedBy(jwk, `${head}.${payload}`, signature)
    )
  }
}

function isSignedBy(jwk: ProofKey, text: string, signature: string): boolean {
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' })
  return verify(
    'sha256',
    Buffer.from(text),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
}

/** RFC 7638. */
function thumbprintOf({ crv, kty, x, y }: ProofKey): string {
  return sha256(JSON.stringify({ crv, kty, x, y }))
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

function decoded(part: string): unknown {
  return JSON.parse(Buffer.from(part, 'base64url').toString())
}
