import { authText, oauth, scopes } from '../fields/auth.ts'
import { address, transport } from '../fields/transport.ts'
import { disabled, dropped, list, map, milliseconds, text } from '../fields/values.ts'
import type { Dialect } from './dialect.ts'
import { serverMap } from './shapes.ts'

/** MCP Inspector, version 2 and later. */
export const inspector: Dialect = {
  name: 'inspector',
  title: 'MCP Inspector',
  format: 'json',
  locations: [{ scope: 'user', path: '~/.mcp-inspector/mcp.json' }],
  preset: {},
  facts: { 'vars.syntax': [], 'vars.fields': 'none' },
  root: serverMap(['mcpServers'], { knownFields: ['$schema'] }),
  fields: {
    type: transport({ stdio: 'stdio', http: 'http', sse: 'sse' }),
    command: text('command'),
    args: list('args'),
    env: map('env'),
    cwd: text('cwd'),
    url: address(),
    headers: map('headers'),
    oauth: oauth({
      clientId: authText('clientId'),
      clientSecret: authText('clientSecret'),
      scopes: scopes('list'),
      scope: scopes('text'),
      authorizationUrl: authText('authorizationUrl'),
      tokenUrl: authText('tokenUrl'),
      redirectUri: authText('redirectUri'),
      authorizationParams: dropped('only parameters of the specification are sent'),
      enterpriseManaged: dropped('only the Inspector can use enterprise sign-in'),
    }),
    connectionTimeout: milliseconds('startMs'),
    requestTimeout: milliseconds('callMs'),
    protocolEra: dropped('the revision is negotiated with the server'),
    taskTtl: dropped('a task lives as long as its call'),
    roots: dropped('roots are set by the caller'),
    metadata: dropped('only the Inspector sends it'),
    disabled: { ...disabled, note: 'undocumented, but in use' },
  },
  variables: {},
  addressMeans: 'http',
}
