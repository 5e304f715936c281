/** Who makes a request. Everything a principal owns in the lockbox is kept under this id. */
export interface Principal {
  readonly id: string
}

/** The person at the machine the gateway runs on. */
export const localPrincipal: Principal = { id: 'local' }

/** Where a bearer is shown: the HTTP API, the endpoint for MCP hosts, or where sign-in codes are issued. */
export type TokenAudience = 'api' | 'mcp' | 'code'

/** Tells whose bearer this is, or nothing when it is not accepted there. */
export type Authenticate = (token: string, audience: TokenAudience) => Principal | undefined
