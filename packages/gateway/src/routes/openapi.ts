import type { Handler } from 'hono'
import { gatewayInfo } from '../gateway-info.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'

/** `GET /api/openapi.json`: describes the HTTP API. Imported on demand: few callers ask for it. */
export const describeApi: Handler<GatewayEnv> = async (context) => {
  const { openApiDocument } = await import('@toolbridge/api/openapi')
  return context.json(openApiDocument(gatewayInfo.version))
}
