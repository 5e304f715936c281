import { allowedUnasked } from '../fields/approval.ts'
import type { FieldTable } from '../fields/field-rule.ts'
import { address, transport } from '../fields/transport.ts'
import { disabled, dropped, group, list, map, seconds, text } from '../fields/values.ts'
import type { ConfigLocation, Dialect, Platform } from './dialect.ts'
import { serverMap } from './shapes.ts'

const type = transport({ stdio: 'stdio', http: 'streamableHttp', sse: 'sse' })

const reach: FieldTable = {
  type,
  command: text('command'),
  args: list('args'),
  cwd: text('cwd'),
  env: map('env'),
  url: address(),
  headers: map('headers'),
}

function ofExtension(platform: Platform, folder: string): ConfigLocation {
  const path = `${folder}/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json`
  return { scope: 'user', platforms: [platform], path }
}

/** Cline: flat entries of the extension, and nested `transport` of its CLI. */
export const cline: Dialect = {
  name: 'cline',
  title: 'Cline',
  format: 'json',
  locations: [
    ofExtension('darwin', '~/Library/Application Support'),
    ofExtension('win32', '%APPDATA%'),
    ofExtension('linux', '~/.config'),
    { scope: 'user', path: '~/.cline/data/settings/cline_mcp_settings.json' },
    { scope: 'user', path: '~/.cline/mcp.json' },
  ],
  preset: {},
  facts: { 'vars.syntax': [], 'vars.fields': 'none' },
  root: serverMap(['mcpServers'], { knownFields: ['$schema'] }),
  fields: {
    ...reach,
    transport: group(reach),
    transportType: { ...type, note: 'in older versions' },
    disabled,
    autoApprove: allowedUnasked,
    alwaysAllow: allowedUnasked,
    timeout: seconds('callMs'),
    remoteConfigured: dropped('it only says who wrote the entry'),
  },
  variables: {},
  addressMeans: 'sse',
}
