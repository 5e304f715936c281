import { names } from '../fields/name-lists.ts'
import { address, transport } from '../fields/transport.ts'
import { disabled, list, map, seconds, text } from '../fields/values.ts'
import type { Dialect } from './dialect.ts'
import { serverMap } from './shapes.ts'

export const crush: Dialect = {
  name: 'crush',
  title: 'Crush',
  format: 'json',
  locations: [
    { scope: 'project', path: '.crush.json', isUpward: true },
    { scope: 'project', path: 'crush.json', isUpward: true },
    { scope: 'user', path: '~/.config/crush/crush.json' },
  ],
  preset: { 'vars.unset': 'error' },
  facts: { 'config.roots': ['mcp'], 'vars.syntax': ['$NAME', '${NAME}', '${NAME:-default}'] },
  root: serverMap(['mcp'], { knownFields: 'any' }),
  fields: {
    type: transport({ stdio: 'stdio', http: 'http', sse: 'sse' }),
    command: text('command'),
    args: list('args'),
    env: map('env'),
    url: address(),
    headers: map('headers'),
    timeout: seconds('startMs'),
    disabled,
    disabled_tools: names('deny'),
    enabled_tools: names('allow'),
  },
  variables: { everything: 'crush' },
  addressMeans: 'http',
}
