import { address } from '../fields/transport.ts'
import { list, map, text } from '../fields/values.ts'
import type { Dialect } from './dialect.ts'
import { serverMap } from './shapes.ts'

/** Agent Apps: the `mcp` metadata of a skill. */
export const agentApps: Dialect = {
  name: 'agent-apps',
  title: 'Agent Apps',
  format: 'yaml',
  locations: [{ scope: 'project', path: '*.skill.md' }],
  preset: {
    'naming.separator': '-',
    'naming.sanitize': 'kebab',
    'naming.onCollision': 'error',
    'config.both': 'prefer-url',
    'vars.unset': 'drop',
    start: 'lazy',
    stop: { closeStdin: true, graceMs: 2000, termMs: 2000 },
    stderr: 'inherit',
    elicitation: ['route', 'handler'],
  },
  facts: {
    'config.roots': ['metadata.mcp'],
    'vars.syntax': ['${path}', '\\${NAME}'],
    'vars.phase': 'both',
    permissions: 'rules',
  },
  root: serverMap(['metadata', 'mcp'], { knownFields: 'any' }),
  fields: { command: text('command'), args: list('args'), env: map('env'), url: address() },
  variables: { everything: 'contextual', env: 'contextualThenEnvironment' },
  addressMeans: 'http',
  write: { format: 'yaml', document: ({ entries }) => ({ metadata: { mcp: entries } }) },
}
