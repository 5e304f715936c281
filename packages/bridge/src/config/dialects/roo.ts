import { allowedUnasked } from '../fields/approval.ts'
import { names } from '../fields/name-lists.ts'
import { address, transport } from '../fields/transport.ts'
import { disabled, dropped, list, map, seconds, text } from '../fields/values.ts'
import type { ConfigLocation, Dialect, Platform } from './dialect.ts'
import { serverMap } from './shapes.ts'

function ofExtension(platform: Platform, folder: string): ConfigLocation {
  const path = `${folder}/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json`
  return { scope: 'user', platforms: [platform], path }
}

/** Roo Code: a project's file, and one file of the extension. */
export const roo: Dialect = {
  name: 'roo',
  title: 'Roo Code',
  format: 'json',
  locations: [
    { scope: 'project', path: '.roo/mcp.json' },
    ofExtension('darwin', '~/Library/Application Support'),
    ofExtension('win32', '%APPDATA%'),
    ofExtension('linux', '~/.config'),
  ],
  preset: { 'vars.workspace': ['.roo'] },
  facts: { 'vars.syntax': ['${env:NAME}', '${workspaceFolder}'] },
  root: serverMap(['mcpServers'], { knownFields: ['$schema'] }),
  fields: {
    type: transport({ stdio: 'stdio', http: 'streamable-http', sse: 'sse' }),
    command: text('command'),
    args: list('args'),
    env: map('env'),
    cwd: text('cwd'),
    url: address(),
    headers: map('headers'),
    timeout: seconds('callMs'),
    disabled,
    disabledTools: names('deny'),
    alwaysAllow: allowedUnasked,
    watchPaths: dropped('servers are not restarted when files change'),
  },
  variables: { everything: 'cursor' },
  addressMeans: 'nothing',
}
