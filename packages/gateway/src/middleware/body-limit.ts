import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { GatewayEnv } from '../env.ts'
import { GatewayError } from '../gateway-error.ts'

const maxBodyBytes = 4 * 1024 * 1024

/** Refuses a body of more than 4 MiB, at the latest when that much has arrived. */
export const limitBody: MiddlewareHandler<GatewayEnv> = bodyLimit({
  maxSize: maxBodyBytes,
  onError: () => {
    throw new GatewayError('body_too_large', `a request body may have ${maxBodyBytes} bytes`)
  },
})
