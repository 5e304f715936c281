import type { Handler } from 'hono'
import type { GatewayEnv } from '../http/gateway-env.ts'
import type { ProtectedResource } from '../sign-in/protected-resource.ts'

/** `GET /.well-known/oauth-protected-resource/mcp`: names the issuer to MCP hosts (RFC 9728). */
export function describeResource({ resource, issuer }: ProtectedResource): Handler<GatewayEnv> {
  const metadata = { resource, authorization_servers: [issuer], bearer_methods_supported: ['header'] }
  return (context) => context.json(metadata)
}
