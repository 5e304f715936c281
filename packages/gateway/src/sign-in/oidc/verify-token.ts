import { errors, type JWTPayload, jwtVerify } from 'jose'
import { type Issuer, issuerUnreachable } from './issuer.ts'

/** What a token must be. */
export interface ExpectedToken {
  readonly issuer: string
  readonly audience: string
}

/** No symmetric algorithm: its key would be the issuer's public key, which everyone has. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

/** Clocks of the issuer and of this machine may differ by this. */
export const clockToleranceSeconds = 60

/**
 * Returns the claims of a token that the issuer signed for this audience and that has not expired. Undefined for any other
 * token. Rejects with a `GatewayError` if the issuer's keys cannot be fetched.
 */
export async function verifiedClaims(
  token: string,
  { issuer, audience }: ExpectedToken,
  source: Issuer,
  log: (line: string) => void,
): Promise<JWTPayload | undefined> {
  const { keys } = await source.metadata()
  try {
    const required = { issuer, audience, requiredClaims: ['exp'] }
    const verified = await jwtVerify(token, keys, {
      ...required,
      algorithms,
      clockTolerance: clockToleranceSeconds,
    })
    const { payload, protectedHeader } = verified
    return isBearer(payload, protectedHeader.typ) && !isOfFuture(payload) ? payload : undefined
  } catch (error) {
    if (isAboutToken(error)) return undefined
    throw issuerUnreachable(error, log)
  }
}

/** A token bound to a key (`cnf`) needs a proof with every request. Other types, such as logout tokens, are no access tokens. */
function isBearer(payload: JWTPayload, type: string | undefined): boolean {
  const isAccessToken = type === undefined || /^(?:application\/)?(?:at\+)?jwt$/i.test(type)
  return isAccessToken && payload['cnf'] === undefined
}

/** Its time of issue decides whether the person has signed out since. */
function isOfFuture({ iat = 0 }: JWTPayload): boolean {
  return iat > Date.now() / 1_000 + clockToleranceSeconds
}

function isAboutToken(error: unknown): boolean {
  return (
    error instanceof errors.JOSEError &&
    !['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'].includes(error.code)
  )
}
