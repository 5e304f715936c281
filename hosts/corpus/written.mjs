import { json, program } from './entries.mjs'

const url = 'http://127.0.0.1:@PORT@/mcp'

/** Definitions that are written for every host, in the format of Toolbridge. */
export const written = json({
  mcpServers: {
    plain: program('plain', ['a b', '--x=1'], { env: { PLAIN: 'value' } }),
    off: program('off', [], { enabled: false }),
    allow: program('allow', [], { tools: { allow: ['read_file'] } }),
    allowGlob: program('allowGlob', [], { tools: { allow: ['read_*'] } }),
    denied: program('denied', [], { tools: { deny: ['delete_file'] } }),
    approvalDeny: program('approvalDeny', [], { approval: { tools: { delete_file: 'deny' } } }),
    readOnly: program('readOnly', [], { readOnly: true }),
    set: program('set', ['${env:SET_VAR}'], { env: { GIVEN: 'x${env:SET_VAR}y' } }),
    fallback: program('fallback', ['${env:NOT_SET:-fallback}']),
    literal: program('literal', ['$${SET_VAR}', '$SET_VAR', '{env:SET_VAR}', 'costs $5']),
    folder: program('folder', [], { cwd: '@HOME@' }),
    timeout: program('timeout', [], { timeouts: { callMs: 20000 } }),
    unsetName: program('unsetName', [], { unsetEnv: ['SHELL_ONLY'] }),
    'odd name.v1': program('odd'),
    remote: { type: 'http', url: `${url}/remote`, headers: { 'X-Set': '${env:SET_VAR}' } },
    noSignIn: { type: 'http', url: `${url}/noSignIn`, auth: { kind: 'none' } },
    sse: { type: 'sse', url: 'http://127.0.0.1:@PORT@/sse/sse' },
    socket: { type: 'ws', url: 'ws://127.0.0.1:@PORT@/mcp/socket' },
  },
})

export const writtenLabels = { 'odd name.v1': 'odd' }

export const writtenRows = {
  plain: 'arguments and environment',
  off: 'disabled server',
  allow: 'allow list',
  allowGlob: 'pattern in an allow list',
  denied: 'deny list',
  approvalDeny: 'tool denied by approval',
  readOnly: 'read-only server',
  set: 'variable that is set',
  fallback: 'variable with a default',
  literal: 'text that looks like a variable',
  folder: 'working directory',
  timeout: 'timeout',
  unsetName: 'variable that must not be inherited',
  'odd name.v1': 'odd name',
  remote: 'remote server with a header',
  noSignIn: 'remote server without sign-in',
  sse: 'HTTP+SSE server',
  socket: 'WebSocket server',
}
