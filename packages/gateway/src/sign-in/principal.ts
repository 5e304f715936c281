/** Who makes a request. Everything a principal owns in the lockbox is kept under this id. */
export interface Principal {
  readonly id: string
}

/** The person at the machine the gateway runs on. */
export const localPrincipal: Principal = { id: 'local' }

/** Where a bearer is shown: the HTTP API, the endpoint for MCP hosts, or where sign-in codes are issued. */
export type Door = 'api' | 'mcp' | 'code'

/** Tells whose bearer this is, or nothing when it opens no such door. */
export type Authenticate = (token: string, door: Door) => Principal | undefined
