import type { Principal } from '../sign-in/principal.ts'

/** Values of the connection, and variables that the middleware sets for the routes. */
export interface GatewayEnv {
  Bindings: {
    /** Address of the other end of the connection: the client, or a proxy. Undefined if the request came over no connection. */
    peer?: string | undefined
  }
  Variables: { principal: Principal }
}
