import { fieldOf } from '../documents/config-document.ts'
import { map, requiredList, text } from '../fields/values.ts'
import type { Dialect } from './dialect.ts'
import { serverMap } from './shapes.ts'

/** lucky: `mcpServers` of programs only; `args` is required. */
export const lucky: Dialect = {
  name: 'lucky',
  title: 'lucky',
  format: 'json',
  locations: [{ scope: 'project', path: 'mcp-secret.json', variable: { name: 'MCP_SECRET_PATH' } }],
  preset: {
    'naming.separator': 'none',
    'naming.sanitize': 'none',
    'naming.onCollision': 'error',
    'config.transport': 'stdio',
    'config.sources': ['context', 'flag', 'environment'],
    'vars.unset': 'keep',
    stderr: 'inherit',
    elicitation: ['off'],
    'result.text': 'concat',
  },
  facts: {
    'config.roots': ['mcpServers'],
    'config.missing': 'ok',
    'vars.syntax': ['${NAME}'],
    'vars.fields': ['command', 'args', 'env'],
    'vars.phase': 'load',
    expose: 'requested',
    permissions: 'allowlist',
  },
  root: serverMap(['mcpServers'], {
    knownFields: ['$schema'],
    apply: (_root, entries) => {
      for (const entry of entries.filter(
        ({ specFields, location }) =>
          specFields.command !== undefined && fieldOf(location, 'args') === undefined,
      )) {
        entry.refuse(entry.location, {
          code: 'field_missing',
          message: '"args" is missing, but lucky requires it',
          found: 'no "args"',
          expected: 'an array of strings',
          fix: 'add "args": []',
        })
      }
    },
  }),
  fields: { command: text('command'), args: requiredList('args'), env: map('env', 'scalars') },
  variables: { command: 'braced', args: 'braced', env: 'braced' },
  addressMeans: 'nothing',
  write: { format: 'json', document: ({ entries }) => ({ mcpServers: entries }) },
}
