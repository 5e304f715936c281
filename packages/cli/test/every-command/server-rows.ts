import { expect } from 'vitest'
import { tools as definitions } from '../workshop-server.mjs'
import type { Row } from './row.ts'

const workshop = ['--mcp', 'mcp.json']
const missing = ['--mcp', 'missing-program.json']
const json = ['--format', 'json']
const names = definitions.map(({ name }) => `workshop__${name}`)
const sorted = definitions.toSorted((one, other) => (one.name < other.name ? -1 : 1))
const ping = '{"jsonrpc":"2.0","id":7,"method":"ping"}\n'
const pong = /^\{(?:"jsonrpc":"2\.0"|"id":7|"result":\{\}|,){5}\}\n$/
const typed = '{"text":"typed"}'
const notStarted = /^missing: .*no-such-program/m
const invalidRule = ['--deny', 'nothing']

/** Commands that use servers. */
export const serverRows: readonly Row[] = [
  {
    command: 'run',
    args: ['run', 'program.ts', 'one', ...workshop, ...json],
    code: 0,
    stdout: /^\{"args":\["one"\]\}\n$/,
  },
  {
    command: 'run',
    args: ['run', 'nowhere.ts', ...workshop],
    code: 2,
    stderr: /^toolbridge: .*nowhere\.ts: file not found\n$/,
  },
  {
    command: 'doctor',
    args: ['doctor', ...workshop, ...json],
    code: 0,
    schema: 'doctor-report',
    json: {
      mcp: {
        exists: true,
        dialect: 'mcp-servers',
        issues: [],
        servers: [{ id: 'workshop', state: 'ready', active: { tools: { count: names.length, names } } }],
      },
    },
  },
  {
    command: 'doctor',
    args: ['doctor', '--mcp', 'broken.json', ...json],
    code: 2,
    schema: 'doctor-report',
    json: { mcp: { dialect: null, issues: [{ severity: 'error', line: 2 }], servers: [] } },
  },
  {
    command: 'doctor',
    args: ['doctor', ...missing, ...json],
    code: 3,
    schema: 'doctor-report',
    json: {
      mcp: { servers: [{ id: 'missing', state: 'failed', active: { initialize: { status: 'failed' } } }] },
    },
  },
  {
    command: 'doctor',
    args: ['doctor', ...json],
    code: 4,
    cwd: 'project',
    schema: 'doctor-report',
    json: { mcp: { servers: [{ id: 'files', state: 'untrusted' }] } },
    stderr: /^toolbridge: server "files" is defined by the project/,
  },
  {
    command: 'doctor',
    args: ['doctor', ...json],
    code: 6,
    cwd: 'empty',
    schema: 'doctor-report',
    json: { mcp: { path: null, servers: [], variables: ['TOOLBRIDGE_MCP_FILE'] } },
    stderr: /^toolbridge: no MCP configuration found/,
  },
  {
    command: 'tools',
    args: ['tools', ...workshop, ...json, '--deny', 'mcp://workshop/fail'],
    code: 0,
    schema: 'tools-report',
    json: {
      tools: sorted.map(({ name, inputSchema }) => ({
        name: `workshop__${name}`,
        server: 'workshop',
        rawName: name,
        uri: `mcp://workshop/${name}`,
        inputSchema,
        ...(name === 'fail' ? { denied: expect.stringContaining('mcp://workshop/fail') } : {}),
      })),
    },
  },
  {
    command: 'tools',
    args: ['tools', ...workshop, '--filter', 'anything'],
    code: 0,
    stdout: /^workshop\n {2}workshop__open\(text\?: string\)\n/,
  },
  {
    command: 'tools',
    args: ['tools', ...missing, ...json],
    code: 3,
    schema: 'tools-report',
    json: { tools: [] },
    stderr: notStarted,
  },
  {
    command: 'tools',
    args: ['tools', ...json],
    code: 6,
    cwd: 'empty',
    schema: 'no-configuration',
    json: { error: { code: 'no_configuration', otherFiles: [] } },
    stderr: /^toolbridge: no MCP configuration found/,
  },
  {
    command: 'tools',
    args: ['tools', '--mcp', 'broken.json'],
    code: 2,
    stderr: /broken\.json:2:1: error: not valid JSON/,
  },
  {
    command: 'tools',
    args: ['tools', ...workshop, '--server', 'wrkshop'],
    code: 2,
    stderr: /^toolbridge: unknown server "wrkshop"\. Did you mean "workshop"\?/,
  },
  {
    command: 'call',
    args: ['call', 'workshop.picture', ...workshop, ...json],
    code: 0,
    schema: 'call-report',
    json: {
      content: [
        { type: 'text', text: 'look' },
        { type: 'image', mimeType: 'image/png' },
      ],
    },
  },
  {
    command: 'call',
    args: ['call', 'workshop.open', '-', ...workshop],
    code: 0,
    input: typed,
    stdout: /^\{"text":"typed"\}\n$/,
  },
  {
    command: 'call',
    args: ['call', 'workshop.fail', ...workshop, ...json],
    code: 1,
    schema: 'call-report',
    json: { isError: true, content: [{ type: 'text', text: 'broken \u001b[31mred' }] },
  },
  {
    command: 'call',
    args: ['call', 'workshop.opne', ...workshop, ...json],
    code: 2,
    stderr:
      /^toolbridge: unknown tool "workshop\.opne"\. Did you mean "workshop__open"\? See: toolbridge tools\n$/,
  },
  {
    command: 'call',
    args: ['call', 'missing.open', ...missing],
    code: 3,
    stderr: notStarted,
  },
  {
    command: 'call',
    args: ['call', 'workshop.open', ...workshop, '--deny', 'mcp://workshop/*'],
    code: 4,
    stderr: /^toolbridge: denied: .*mcp:\/\/workshop\/\*/,
  },
  {
    command: 'resources',
    args: ['resources', ...workshop, ...json],
    code: 0,
    schema: 'resources-report list',
    json: {
      resources: [
        { server: 'workshop', uri: 'image://dot', mimeType: 'image/png' },
        { server: 'workshop', uri: 'note://one', mimeType: 'text/plain' },
      ],
    },
  },
  {
    command: 'resources',
    args: ['resources', 'templates', ...workshop, ...json],
    code: 0,
    schema: 'resources-report templates',
    json: {
      resourceTemplates: [{ server: 'workshop', uriTemplate: 'note://{name}', description: 'A note' }],
    },
  },
  {
    command: 'resources',
    args: ['resources', 'read', 'note://one', ...workshop, ...json],
    code: 0,
    schema: 'resources-report read',
    json: { contents: [{ uri: 'note://one', text: 'a\tb\u001b[31m\n' }] },
  },
  {
    command: 'resources',
    args: ['resources', 'read', 'note://two', ...workshop],
    code: 0,
    stdout: /^This is note:\/\/two\.\n$/,
  },
  {
    command: 'resources',
    args: ['resources', 'raed', 'note://one', ...workshop],
    code: 2,
    stderr: /^toolbridge: unknown command "resources raed"\. Did you mean "read"\?/,
  },
  {
    command: 'prompts',
    args: ['prompts', ...workshop, ...json],
    code: 0,
    schema: 'prompts-report list',
    json: {
      prompts: [{ server: 'workshop', name: 'review', arguments: [{ name: 'text', required: true }, {}] }],
    },
  },
  {
    command: 'prompts',
    args: ['prompts', 'get', 'review', 'text=this', ...workshop, ...json],
    code: 0,
    schema: 'prompts-report get',
    json: { messages: [{ content: { text: 'Review this, be kind.' } }, { content: { type: 'image' } }] },
  },
  {
    command: 'prompts',
    args: ['prompts', 'get', 'review', 'text=@-', ...workshop],
    code: 0,
    input: typed,
    stdout: /^user: Review \{"text":"typed"\}, be kind\.\n/,
  },
  {
    command: 'prompts',
    args: ['prompts', 'get', 'reviw', ...workshop],
    code: 2,
    stderr: /^toolbridge: unknown prompt "reviw"\. Did you mean "review"\?/,
  },
  {
    command: 'complete',
    args: ['complete', 'review', 'tone=e', ...workshop, ...json],
    code: 0,
    schema: 'complete-report',
    json: { values: ['emma', '{}'], total: 2 },
  },
  {
    command: 'complete',
    args: ['complete', 'review', 'tone=e', ...workshop],
    code: 0,
    stdout: /^emma\n/,
  },
  {
    command: 'complete',
    args: ['complete', 'review', 'toen=e', ...workshop],
    code: 2,
    stderr: /"review" has no argument "toen"\. Did you mean "tone"\?/,
  },
  {
    command: 'generate',
    args: ['generate', ...workshop],
    code: 0,
    stdout: /^export function createTools</m,
  },
  {
    command: 'generate',
    args: ['generate', ...missing],
    code: 3,
    stderr: notStarted,
  },
  {
    command: 'replay',
    args: ['replay', 'recorded.cassette'],
    code: 0,
    input: ping,
    stdout: pong,
  },
  {
    command: 'replay',
    args: ['replay', 'recorded.cassette', '--drift', ...workshop, ...json],
    code: 0,
    schema: 'drift-report',
    json: { server: 'workshop', skipped: [], drift: [] },
  },
  {
    command: 'replay',
    args: ['replay', 'recorded.cassette', '--drift', '--lists', '--mcp', 'few.json', ...json],
    code: 7,
    schema: 'drift-report',
    json: { server: 'workshop', drift: names.slice(0, -1).map(() => ({ kind: 'removed' })) },
  },
  {
    command: 'replay',
    args: ['replay', 'missing.cassette'],
    code: 2,
    stderr: /^toolbridge: cassette_invalid: .*missing\.cassette: cannot read the cassette: /,
  },
  {
    command: 'serve',
    args: ['serve', '--stdio', ...workshop],
    code: 0,
    input: ping,
    stdout: pong,
  },
  {
    command: 'serve',
    args: ['serve', '--port', 'many', ...workshop],
    code: 2,
    stderr: /^toolbridge: invalid --port "many": expected a number from 0 to 65535\n$/,
  },
  {
    command: 'permissions list',
    args: ['permissions', 'list', ...workshop, '--deny', 'mcp://workshop/fail', ...json],
    code: 0,
    schema: 'permissions-report list',
    json: { rules: [{ kind: 'deny', rule: 'mcp://workshop/fail', source: { flag: '--deny' } }] },
  },
  {
    command: 'permissions list',
    args: ['permissions', 'list', ...workshop, ...invalidRule, ...json],
    code: 2,
    stderr: /^toolbridge: invalid --deny/,
  },
  {
    command: 'permissions test',
    args: ['permissions', 'test', 'workshop.open', 'text=ab', ...workshop, ...json],
    code: 0,
    schema: 'permissions-report test',
    json: { tool: { server: 'workshop', rawName: 'open' }, arguments: { text: 'ab' }, verdict: 'allow' },
  },
  {
    command: 'permissions test',
    args: ['permissions', 'test', 'workshop.open', ...workshop, '--deny', 'mcp://workshop/open', ...json],
    code: 4,
    schema: 'permissions-report test',
    json: { verdict: 'deny', source: { flag: '--deny' } },
  },
  {
    command: 'permissions explain',
    args: ['permissions', 'explain', 'workshop.open', ...workshop, '--ask', 'mcp://workshop/open', ...json],
    code: 0,
    schema: 'permissions-report explain',
    json: {
      verdict: 'ask',
      steps: expect.arrayContaining([expect.objectContaining({ kind: 'ask', decides: true })]),
    },
  },
  {
    command: 'permissions explain',
    args: ['permissions', 'explain', 'workshop.open', ...workshop, ...invalidRule],
    code: 2,
    stderr: /^toolbridge: invalid --deny/,
  },
]
