/** Who makes a request. Everything a principal owns in the lockbox is kept under this id. */
export interface Principal {
  readonly id: string
}

/** The person at the machine the gateway runs on. */
export const localPrincipal: Principal = { id: 'local' }

/** Where a bearer is shown: the HTTP API, or the endpoint for MCP hosts. */
export type Door = 'api' | 'mcp'

/** Tells whose bearer this is, or nothing when it opens no such door. */
export type Authenticate = (token: string, door: Door) => Principal | undefined
