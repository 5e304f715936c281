import { fieldOf } from '../documents/config-document.ts'
import { address, transport } from '../fields/transport.ts'
import { list, map, text } from '../fields/values.ts'
import type { Dialect } from './dialect.ts'
import { serverMap } from './shapes.ts'

/** core-agent: `servers` with a `version`; every entry names its transport. */
export const coreAgent: Dialect = {
  name: 'core-agent',
  title: 'core-agent',
  format: 'json',
  locations: [
    { scope: 'project', path: '.agents/mcp.json' },
    { scope: 'user', path: '~/.agents/mcp.json' },
  ],
  preset: {
    'naming.separator': '_',
    'naming.sanitize': 'namespace-only',
    'naming.onCollision': 'error',
    'config.transport': 'required',
    'config.sources': ['project', 'user'],
    'env.inherit': 'all',
    stop: { closeStdin: false, graceMs: 0, termMs: 3000 },
    stderr: 'discard',
    'stdout.badLine': 'fail',
    elicitation: ['handler', 'decline'],
    'result.media': 'json',
  },
  facts: {
    'config.roots': ['servers'],
    'config.missing': 'ok',
    'vars.syntax': ['${env:NAME}'],
    'vars.fields': ['env', 'headers'],
  },
  root: serverMap(['servers'], {
    knownFields: ['version', '$schema'],
    apply: (root, _entries, { report }) => {
      const version = fieldOf(root, 'version')
      if (version === undefined || version.node.value === 1) return
      report(version, {
        code: 'version_unknown',
        severity: 'warning',
        message: '"version" is not 1, so the file may be in a different format',
        found: 'a different version',
        expected: '1',
        fix: 'write "version": 1, or update this program',
      })
    },
  }),
  fields: {
    transport: transport({ stdio: 'stdio', http: 'http' }),
    command: text('command'),
    args: list('args'),
    env: map('env'),
    url: address(),
    headers: map('headers'),
  },
  variables: { env: 'environment', headers: 'environment' },
  addressMeans: 'nothing',
  write: { format: 'json', document: ({ entries }) => ({ version: 1, servers: entries }) },
}
