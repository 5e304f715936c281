import type { FieldRule } from '../fields/field-rule.ts'
import { address, transport } from '../fields/transport.ts'
import { list, map, text } from '../fields/values.ts'
import type { Dialect } from './dialect.ts'
import { serverMap } from './shapes.ts'

const namedTransport = transport({ stdio: 'stdio', http: 'http', sse: 'sse' })

/** yaaf also sends requests by POST to an `sse` server, and parses answers that are event streams. */
const type: FieldRule = {
  ...namedTransport,
  note: '`sse` is read as `http`, which falls back to SSE',
  read: (field, entry) => {
    namedTransport.read(field, entry)
    if (entry.specFields.transport === 'sse') entry.specFields.transport = 'http'
  },
}

/** yaaf: the format of VS Code with different variables. */
export const yaaf: Dialect = {
  name: 'yaaf',
  title: 'yaaf',
  format: 'json',
  locations: [
    { scope: 'project', path: '.yaaf/mcp.json', variable: { name: 'YAAF_MCP_FILE', isInEnvFile: true } },
  ],
  preset: {
    'naming.separator': '.',
    'naming.sanitize': 'none',
    'naming.maxLength': Number.POSITIVE_INFINITY,
    'naming.onCollision': 'error',
    'config.transport': 'stdio',
    'config.both': 'by-type',
    'config.sources': ['flag', 'environment', 'project'],
    'vars.paths': 'slashes',
    'env.inherit': 'all',
    start: 'lazy',
    stop: { closeStdin: false, graceMs: 1000, termMs: 100 },
    stderr: 'inherit',
    'stdout.badLine': 'fail',
    'protocol.version': '2025-11-25',
    elicitation: ['off'],
    'result.media': 'json',
    'result.protocolError': 'result',
  },
  facts: {
    'config.roots': ['servers'],
    'config.missing': 'ok',
    'vars.syntax': ['${env:NAME}', '${workspaceFolder}'],
    'vars.phase': 'load',
    expose: 'selected',
    permissions: 'selection',
  },
  root: serverMap(['servers'], { knownFields: ['inputs', '$schema'] }),
  fields: {
    type,
    command: text('command'),
    args: list('args'),
    env: map('env'),
    envFile: text('envFile'),
    url: address(),
    headers: map('headers'),
  },
  variables: { everything: 'yaaf' },
  addressMeans: 'nothing',
  write: { format: 'json', document: ({ entries }) => ({ servers: entries }) },
}
