import { authText, oauth, scopes } from '../fields/auth.ts'
import { address, transport } from '../fields/transport.ts'
import { disabledUndocumented, list, map, text } from '../fields/values.ts'
import type { Dialect } from './dialect.ts'
import { serverMap } from './shapes.ts'

export const cursor: Dialect = {
  name: 'cursor',
  title: 'Cursor',
  format: 'json',
  locations: [
    { scope: 'project', path: '.cursor/mcp.json' },
    { scope: 'user', path: '~/.cursor/mcp.json' },
  ],
  preset: { 'vars.workspace': ['.cursor'] },
  facts: {
    'vars.syntax': [
      '${env:NAME}',
      '${userHome}',
      '${workspaceFolder}',
      '${workspaceFolderBasename}',
      '${pathSeparator}',
      '${/}',
    ],
  },
  root: serverMap(['mcpServers'], { knownFields: ['$schema'] }),
  fields: {
    type: transport({ stdio: 'stdio', http: 'http', sse: 'sse' }),
    command: text('command'),
    args: list('args'),
    env: map('env'),
    envFile: text('envFile'),
    url: address(),
    headers: map('headers'),
    auth: oauth({
      CLIENT_ID: authText('clientId'),
      CLIENT_SECRET: authText('clientSecret'),
      scopes: scopes('list'),
    }),
    disabled: disabledUndocumented,
  },
  variables: { everything: 'cursor' },
  addressMeans: 'http',
  transports: ['stdio', 'http', 'sse'],
  write: { format: 'json', document: ({ entries }) => ({ mcpServers: entries }) },
}
