import { names } from '../fields/name-lists.ts'
import { address } from '../fields/transport.ts'
import { disabled, list, map, text } from '../fields/values.ts'
import type { Dialect } from './dialect.ts'
import { serverMap } from './shapes.ts'

/** Windsurf, now Devin Desktop. */
export const windsurf: Dialect = {
  name: 'windsurf',
  title: 'Windsurf',
  format: 'json',
  locations: [
    { scope: 'user', path: '~/.codeium/windsurf/mcp_config.json' },
    { scope: 'user', path: '~/.codeium/mcp_config.json' },
    { scope: 'user', platforms: ['darwin', 'linux'], path: '~/.config/devin/mcp_config.json' },
    { scope: 'user', platforms: ['win32'], path: '%APPDATA%/devin/mcp_config.json' },
  ],
  preset: { 'vars.file': 'keep' },
  facts: { 'vars.syntax': ['${env:NAME}', '${file:path}'] },
  root: serverMap(['mcpServers'], { knownFields: ['$schema'] }),
  fields: {
    command: text('command'),
    args: list('args'),
    env: map('env'),
    serverUrl: address(),
    url: address(),
    headers: map('headers'),
    disabled: { ...disabled, note: 'written by its settings page' },
    disabledTools: { ...names('deny'), note: 'written by its settings page' },
  },
  variables: { everything: 'windsurf' },
  addressMeans: 'http',
  transports: ['stdio', 'http'],
  write: { format: 'json', document: ({ entries }) => ({ mcpServers: entries }) },
}
