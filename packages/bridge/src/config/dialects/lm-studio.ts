import { address } from '../fields/transport.ts'
import { disabledUndocumented, list, map, text } from '../fields/values.ts'
import type { Dialect } from './dialect.ts'
import { serverMap } from './shapes.ts'

/** LM Studio: the format of Cursor without variables. */
export const lmStudio: Dialect = {
  name: 'lm-studio',
  title: 'LM Studio',
  format: 'json',
  locations: [{ scope: 'user', path: '~/.lmstudio/mcp.json' }],
  preset: {},
  facts: { 'vars.syntax': [], 'vars.fields': 'none' },
  root: serverMap(['mcpServers'], { knownFields: ['$schema'] }),
  fields: {
    command: text('command'),
    args: list('args'),
    env: map('env'),
    url: address(),
    headers: map('headers'),
    disabled: disabledUndocumented,
  },
  variables: {},
  addressMeans: 'http',
}
