import type { Principal } from '../sign-in/principal.ts'

/** Variables that the middleware sets for the routes. */
export interface GatewayEnv {
  Variables: { principal: Principal }
}
