import { allowedUnasked } from '../fields/approval.ts'
import { authText, oauth, scopes } from '../fields/auth.ts'
import { names } from '../fields/name-lists.ts'
import { address } from '../fields/transport.ts'
import { disabled, list, map, milliseconds, text } from '../fields/values.ts'
import type { Dialect } from './dialect.ts'
import { serverMap } from './shapes.ts'

export const kiro: Dialect = {
  name: 'kiro',
  title: 'Kiro',
  format: 'json',
  locations: [
    { scope: 'project', path: '.kiro/settings/mcp.json' },
    { scope: 'user', path: '~/.kiro/settings/mcp.json' },
  ],
  preset: {},
  facts: { 'vars.syntax': ['${NAME}'] },
  root: serverMap(['mcpServers'], { knownFields: ['$schema'] }),
  fields: {
    command: text('command'),
    args: list('args'),
    env: map('env'),
    url: address(),
    headers: map('headers'),
    oauth: oauth({ clientId: authText('clientId'), oauthScopes: scopes('list') }),
    timeout: milliseconds('callMs'),
    disabled,
    disabledTools: names('deny'),
    autoApprove: allowedUnasked,
  },
  variables: { everything: 'braced' },
  addressMeans: 'http',
}
