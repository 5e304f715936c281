import { disabledUndocumented, list, map, text } from '../fields/values.ts'
import type { Dialect } from './dialect.ts'
import { serverMap } from './shapes.ts'

/** Claude Desktop: programs only; remote servers are configured in its settings. */
export const claudeDesktop: Dialect = {
  name: 'claude-desktop',
  title: 'Claude Desktop',
  format: 'json',
  locations: [
    {
      scope: 'user',
      platforms: ['darwin'],
      path: '~/Library/Application Support/Claude/claude_desktop_config.json',
    },
    { scope: 'user', platforms: ['win32'], path: '%APPDATA%/Claude/claude_desktop_config.json' },
    { scope: 'user', platforms: ['linux'], path: '~/.config/Claude/claude_desktop_config.json' },
  ],
  preset: {},
  facts: { 'vars.syntax': [], 'vars.fields': 'none' },
  root: serverMap(['mcpServers'], { knownFields: 'any' }),
  fields: {
    command: text('command'),
    args: list('args'),
    env: map('env'),
    disabled: disabledUndocumented,
  },
  variables: {},
  addressMeans: 'nothing',
  transports: ['stdio'],
  write: { format: 'json', document: ({ entries }) => ({ mcpServers: entries }) },
}
