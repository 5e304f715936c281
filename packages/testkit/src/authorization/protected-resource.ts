import { createMcpHandler } from '@modelcontextprotocol/server'
import type Provider from 'oidc-provider'
import type { StoredToken } from 'oidc-provider'
import { createModernServer } from '../servers/modern-server.ts'
import { proofChecker } from './dpop-proof.ts'
import { type AuthorizationSettings, SCOPES } from './settings.ts'

type Answer = (request: Request) => Promise<Response>

/** An MCP server of both eras that accepts only tokens of the provider with its audience. */
export function protectedResource(
  provider: Provider,
  { issuer, resource, settings }: { issuer: string; resource: string; settings: AuthorizationSettings },
): Answer {
  const mcp = createMcpHandler(() => createModernServer(), { legacy: 'stateless' }).fetch
  const identify = identifier(provider, resource)
  const { origin, pathname } = new URL(resource)
  const metadataPath = `/.well-known/oauth-protected-resource${pathname}`
  const metadata = { resource, authorization_servers: [issuer], scopes_supported: SCOPES }
  const challenge = `resource_metadata="${origin}${metadataPath}"`
  return async (request) => {
    const { pathname: path } = new URL(request.url)
    if (path === metadataPath) return Response.json(metadata)
    if (path !== pathname) return new Response('nothing here', { status: 404 })
    const token = await identify(request)
    if (token === undefined) return refusal(request, settings, challenge)
    const missing = settings.stepUp ? await missingScope(request.clone(), token) : undefined
    if (missing === undefined) return mcp(request)
    return refused(403, `Bearer error="insufficient_scope", scope="${missing}", ${challenge}`)
  }
}

function refusal(request: Request, settings: AuthorizationSettings, challenge: string): Response {
  const scope = settings.stepUp ? ', scope="tools:list"' : ''
  const error = request.headers.has('authorization') ? 'error="invalid_token", ' : ''
  return refused(401, `Bearer ${error}${challenge}${scope}, DPoP ${error}algs="ES256"`)
}

function refused(status: number, challenge: string): Response {
  return new Response(null, { status, headers: { 'www-authenticate': challenge } })
}

/** The sender of a request with a valid token. A token bound to a key needs a proof. */
function identifier(
  provider: Provider,
  resource: string,
): (request: Request) => Promise<StoredToken | undefined> {
  const isProof = proofChecker()
  return async ({ headers, method }) => {
    const [scheme = '', value = ''] = (headers.get('authorization') ?? '').split(' ')
    const token = value === '' ? undefined : await provider.AccessToken.find(value)
    if (token === undefined || token.isExpired === true || token.aud !== resource) return undefined
    if (token.jkt === undefined) return scheme.toLowerCase() === 'bearer' ? token : undefined
    const proof = headers.get('dpop') ?? ''
    const expected = { method, url: resource, accessToken: value, thumbprint: token.jkt }
    return scheme.toLowerCase() === 'dpop' && isProof(proof, expected) ? token : undefined
  }
}

async function missingScope(request: Request, { scope = '' }: StoredToken): Promise<string | undefined> {
  const text = await request.text()
  const needed = text.includes('"tools/call"') ? 'tools:call' : 'tools:list'
  return scope.split(' ').includes(needed) ? undefined : needed
}
