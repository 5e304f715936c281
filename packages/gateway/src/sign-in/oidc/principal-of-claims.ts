import type { JWTPayload } from 'jose'
import { isOwnerId, type Principal, type Role } from '../principal.ts'
import type { OidcOptions, OidcRoles } from './oidc-options.ts'

/**
 * Returns the person whom a token is about, or undefined if they may not sign in. The id contains the issuer: another issuer
 * may use the same name for someone else.
 */
export function principalOfClaims(
  claims: JWTPayload,
  { issuer, principalClaim = 'sub', roles }: OidcOptions,
): Principal | undefined {
  const name = claims[principalClaim]
  if (typeof name !== 'string' || name === '') return undefined
  const id = `${issuer}#${name}`
  if (!isOwnerId(id)) return undefined
  // Some issuers let people enter any address.
  if (principalClaim === 'email' && claims['email_verified'] !== true) return undefined
  const role = roles === undefined ? 'member' : roleIn(claims, roles)
  return role && { id, role }
}

function roleIn(claims: JWTPayload, { claim, member = [], admin = [] }: OidcRoles): Role | undefined {
  const found = claims[claim]
  const values = Array.isArray(found) ? found : [found]
  const hasOneOf = (wanted: readonly string[]): boolean => wanted.some((value) => values.includes(value))
  if (hasOneOf(admin)) return 'admin'
  return hasOneOf(member) ? 'member' : undefined
}
