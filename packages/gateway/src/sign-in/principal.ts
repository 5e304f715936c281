import { isStorable } from '@toolbridge/lockbox'

/** `owner`: the person who runs the gateway. `admin`: may list and revoke everyone's API keys. `member`: anyone else. */
export type Role = 'owner' | 'admin' | 'member'

/** The authenticated caller of a request. */
export interface Principal {
  /** Owner of the caller's rows in the lockbox. */
  readonly id: string
  /** Default: `member`. */
  readonly role?: Role
  /** Aborted when the token of the caller is revoked or expires. Default: never. */
  readonly ended?: AbortSignal
}

/** Whether a text can be the id of a principal: the lockbox stores its rows under it. */
export function isOwnerId(text: string): boolean {
  return isStorable('owner', text)
}

/** Whether the principal may manage the access of others. */
export function isAdministrator({ role }: Principal): boolean {
  return role === 'owner' || role === 'admin'
}

/** The person who runs the gateway. */
export const localPrincipal: Principal = { id: 'local', role: 'owner' }

/**
 * What a bearer token is used for: the HTTP API, the MCP endpoint, managing the caller's API keys and sign-in, or the
 * commands of the gateway's owner.
 */
export type TokenAudience = 'api' | 'mcp' | 'account' | 'owner'

/** Returns the principal of a bearer token, or undefined if the token is not valid for this audience. */
export type Authenticate = (
  token: string,
  audience: TokenAudience,
) => Principal | undefined | Promise<Principal | undefined>
