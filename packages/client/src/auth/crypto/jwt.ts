import { base64url, base64urlText } from './base64url.ts'
import type { SigningKey } from './signing-key.ts'

/** Signs claims as a compact JWS (RFC 7515 section 3.1). `alg` and `kid` come from the key. */
export async function signJwt(
  key: SigningKey,
  header: Readonly<Record<string, unknown>>,
  claims: Readonly<Record<string, unknown>>,
): Promise<string> {
  const whole = { alg: key.algorithm, ...(key.kid !== undefined && { kid: key.kid }), ...header }
  const signed = `${base64urlText(JSON.stringify(whole))}.${base64urlText(JSON.stringify(claims))}`
  const signature = await key.sign(new TextEncoder().encode(signed))
  return `${signed}.${base64url(signature)}`
}
