import type { FieldRule } from '../fields/field-rule.ts'
import { names } from '../fields/name-lists.ts'
import { address, transport } from '../fields/transport.ts'
import { disabledUndocumented, dropped, list, map, milliseconds, text } from '../fields/values.ts'
import type { Dialect } from './dialect.ts'
import { serverMap } from './shapes.ts'

/** Allowed tools; `*` for all. */
const chosenTools: FieldRule = {
  ...names('allow'),
  note: '`*` for all',
  read: (field, entry) => {
    names('allow').read(field, entry)
    if (entry.specFields.allow?.includes('*') === true) delete entry.specFields.allow
  },
}

export const copilotCli: Dialect = {
  name: 'copilot-cli',
  title: 'Copilot CLI',
  format: 'json',
  locations: [
    { scope: 'project', path: '.github/mcp.json' },
    {
      scope: 'user',
      path: '~/.copilot/mcp-config.json',
      variable: { name: 'COPILOT_HOME', replaces: '~/.copilot' },
    },
  ],
  preset: {},
  facts: {
    'vars.syntax': ['$NAME', '${NAME}', '${NAME:-default}'],
    'vars.fields': ['command', 'args', 'env', 'url', 'headers', 'cwd'],
  },
  root: serverMap(['mcpServers'], { knownFields: ['$schema'] }),
  fields: {
    type: transport({ stdio: 'local', http: 'http', sse: 'sse' }),
    command: text('command'),
    args: list('args'),
    env: map('env'),
    cwd: text('cwd'),
    url: address(),
    headers: map('headers'),
    timeout: milliseconds('callMs'),
    tools: chosenTools,
    source: dropped('it only says who wrote the entry'),
    sourcePath: dropped('it only says who wrote the entry'),
    disabled: disabledUndocumented,
  },
  variables: {
    command: 'shell',
    args: 'shell',
    env: 'shell',
    url: 'shell',
    headers: 'shell',
    cwd: 'shell',
  },
  addressMeans: 'http',
}
