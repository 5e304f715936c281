import type { Principal } from '../sign-in/principal.ts'

/** What the middleware leaves for the routes. */
export interface GatewayEnv {
  Variables: { principal: Principal }
}
