/** The authenticated caller of a request. */
export interface Principal {
  /** Owner of the caller's rows in the lockbox. */
  readonly id: string
}

/** The person who runs the gateway. */
export const localPrincipal: Principal = { id: 'local' }

/** What a bearer token is used for: the HTTP API, the MCP endpoint, or the commands of the gateway's owner. */
export type TokenAudience = 'api' | 'mcp' | 'owner'

/** Returns the principal of a bearer token, or undefined if the token is not valid for this audience. */
export type Authenticate = (token: string, audience: TokenAudience) => Principal | undefined
