import { expect } from 'vitest'
import type { Row } from './row.ts'

const json = ['--format', 'json']
const written = { issues: [], isWritten: true }

/** Commands that start no server. `waiting` is the id of a server's process. */
export const localRows = (waiting: number): readonly Row[] => [
  {
    command: 'add',
    args: ['add', 'extra', '--mcp', 'added.json', '--yes', '--', 'no-such-program', 'word'],
    code: 0,
    stdout: /^added "extra" in .*added\.json\n$/,
    stderr: /no-such-program/,
  },
  {
    command: 'add',
    args: ['add', 'other', '--mcp', 'never.json', '--', 'no-such-program'],
    code: 4,
    stderr: /no-such-program[^]*\ntoolbridge: not changed; add --yes to make the change\n$/,
  },
  {
    command: 'chat',
    args: ['chat', '--model', 'compatible/any', '--base-url', 'http://127.0.0.1:1/v1'],
    code: 0,
    cwd: 'empty',
    input: '/model\n',
    stdout: /^compatible\/any\n$/,
  },
  {
    command: 'chat',
    args: ['chat'],
    code: 2,
    cwd: 'empty',
    stderr: /^toolbridge: missing model\./,
  },
  {
    command: 'config list',
    args: ['config', 'list', ...json],
    cwd: 'project',
    code: 0,
    schema: 'config-report list',
    json: {
      files: [{ scope: 'project', isUsed: true, servers: ['files'], refused: [] }],
      servers: [{ name: 'files', state: 'untrusted', transport: 'stdio', isTrusted: false }],
      issues: [],
    },
  },
  {
    command: 'config list',
    args: ['config', 'list', '--mcp', 'nowhere.json', ...json],
    code: 2,
    stderr: /nowhere\.json: error: configuration file not found/,
  },
  {
    command: 'config explain',
    args: ['config', 'explain', 'remote.json', ...json],
    code: 0,
    schema: 'config-report explain',
    json: {
      servers: [
        { name: 'far', state: 'on', definition: { transport: 'http', headers: ['X-Team'], maySignIn: true } },
      ],
      files: [{ dialect: 'mcp-servers', fields: expect.arrayContaining([]) }],
    },
  },
  {
    command: 'config explain',
    args: ['config', 'explain', 'wrong.json', ...json],
    code: 2,
    schema: 'config-report explain',
    json: {
      servers: [{ name: 'wrong', state: 'refused', reasons: [{ fix: expect.any(String) }] }],
      issues: [{ severity: 'error', path: '/mcpServers/wrong/args' }],
    },
  },
  {
    command: 'config convert',
    args: ['config', 'convert', 'remote.json', '--to', 'vscode', ...json],
    code: 0,
    schema: 'config-report convert',
    json: { ...written, unwritableFields: [], text: expect.stringContaining('http://127.0.0.1:1/mcp') },
  },
  {
    command: 'config convert',
    args: ['config', 'convert', 'filtered.json', '--to', 'claude-desktop', ...json],
    code: 2,
    schema: 'config-report convert',
    json: { isWritten: false, unwritableFields: [{ server: 'files', outcome: 'refused' }] },
  },
  {
    command: 'config import',
    args: ['config', 'import', ...json],
    cwd: 'cursor',
    code: 0,
    schema: 'config-report import',
    json: { ...written, added: [{ name: 'files', dialect: 'cursor' }], losses: [] },
  },
  {
    command: 'config import',
    args: ['config', 'import', '--server', 'flies', '--dry-run', ...json],
    cwd: 'cursor',
    code: 2,
    stderr: /^toolbridge: unknown server "flies"\. Did you mean "files"\? Servers to import: files\n$/,
  },
  {
    command: 'config add',
    args: ['config', 'add', 'extra', '--mcp', 'config-added.json', '--', 'no-such-program'],
    code: 0,
    stdout: /^added "extra" in .*config-added\.json\n$/,
  },
  {
    command: 'config add',
    args: ['config', 'add', 'far', '--mcp', 'remote.json', '--', 'no-such-program'],
    code: 2,
    stderr: /"far".*--replace/,
  },
  {
    command: 'config remove',
    args: ['config', 'remove', 'files', '--mcp', 'removed.json'],
    code: 0,
    stdout: /^removed "files" from .*removed\.json\n$/,
  },
  {
    command: 'config remove',
    args: ['config', 'remove', 'flies', '--mcp', 'filtered.json'],
    code: 2,
    stderr: /"flies" to change; it has: files \(did you mean "files"\? name one of them\)\n$/,
  },
  {
    command: 'config trust',
    args: ['config', 'trust', ...json],
    cwd: 'project',
    code: 4,
    schema: 'config-report trust',
    json: { servers: [{ name: 'files', isTrusted: false }] },
    stderr: /wants to start "files"[^]*no terminal to ask at; --yes trusts the entry as it is in the file\n$/,
  },
  {
    command: 'config trust',
    args: ['config', 'trust', 'files', '--yes', ...json],
    cwd: 'trusted',
    code: 0,
    schema: 'config-report trust',
    json: { servers: [{ name: 'files', isTrusted: true }] },
    stderr: /wants to start "files"/,
  },
  {
    command: 'config trust',
    args: ['config', 'trust', 'flies'],
    cwd: 'project',
    code: 2,
    stderr: /^toolbridge: unknown server "flies"\. Did you mean "files"\? Servers of the project: files\n$/,
  },
  {
    command: 'open',
    args: ['open', '--data', 'data'],
    code: 0,
    stdout: /^Open http:\/\/127\.0\.0\.1:\d+\/#code=\S+\n$/,
  },
  {
    command: 'open',
    args: ['open', '--data', 'empty'],
    code: 3,
    stderr: /^toolbridge: no gateway is running on .*empty\. Start one with: toolbridge serve\n$/,
  },
  {
    command: 'ps',
    args: ['ps', ...json],
    code: 0,
    schema: 'ps-report list',
    json: {
      processes: expect.arrayContaining([
        expect.objectContaining({
          server: 'waiting',
          pid: waiting,
          owner: expect.objectContaining({ pid: process.pid }),
        }),
      ]),
    },
  },
  {
    command: 'ps',
    args: ['ps', '--stop', String(waiting), ...json],
    code: 4,
    stderr: /^SERVER[^]*waiting[^]*not stopped; add --yes to stop without asking\n$/,
  },
  {
    command: 'ps',
    args: ['ps', '--stop', String(waiting), '--yes', ...json],
    code: 0,
    schema: 'ps-report stop',
    json: { stopped: [{ server: 'waiting', pid: waiting, outcome: 'stopped', survivors: [] }] },
  },
  {
    command: 'ps',
    args: ['ps', '--stop', 'no-such-server'],
    code: 2,
    stderr: /^toolbridge: no running server "no-such-server"\./,
  },
  {
    command: 'connect',
    args: ['connect', 'cursor', '--project', '--yes'],
    cwd: 'connect',
    code: 0,
    stdout: /^connected: "toolbridge" is in .*mcp\.json\. Restart the host to load it\n$/,
    stderr: /^adds "toolbridge" to .*:$/m,
  },
  {
    command: 'connect',
    args: ['connect', 'curser', '--yes'],
    code: 2,
    stderr: /^toolbridge: unknown host "curser"\. Did you mean "cursor"\?/,
  },
  {
    command: 'disconnect',
    args: ['disconnect', 'cursor', '--project', '--yes'],
    cwd: 'connected',
    code: 0,
    stdout: /^disconnected: "toolbridge" is no longer in .*\n$/,
    stderr: /^removes "toolbridge" from .*:$/m,
  },
  {
    command: 'disconnect',
    args: ['disconnect', 'windsrf', '--yes'],
    code: 2,
    stderr: /^toolbridge: unknown host "windsrf"\. Did you mean "windsurf"\?/,
  },
  {
    command: 'auth',
    args: ['auth', 'status', '--mcp', 'remote.json', ...json],
    code: 0,
    schema: 'auth-report',
    json: { accounts: [{ server: 'far', signedIn: false }] },
  },
  {
    command: 'auth',
    args: ['auth', 'logout', 'far', '--mcp', 'remote.json'],
    code: 0,
    stdout: /^Not signed in to far\.\n$/,
  },
  {
    command: 'auth',
    args: ['auth', 'login', 'fra', '--mcp', 'remote.json'],
    code: 2,
    stderr: /^toolbridge: unknown server "fra"\. Did you mean "far"\? Servers with a sign-in: far\n$/,
  },
  {
    command: 'auth',
    args: ['auth', 'lgin', 'far', '--mcp', 'remote.json'],
    code: 2,
    stderr:
      /^toolbridge: unknown command "auth lgin"\. Did you mean "login"\? See: toolbridge auth --help\n$/,
  },
  {
    command: 'auth',
    args: ['auth', 'login', 'far', '--no-browser', '--mcp', 'remote.json'],
    code: 3,
    stderr: /far: .*127\.0\.0\.1:1/,
  },
  {
    command: 'keys',
    args: ['keys', 'create', 'laptop', '--scope', 'mcp', '--days', '30', '--data', 'data', ...json],
    code: 0,
    schema: 'keys-report create',
    json: { key: { name: 'laptop', owner: 'local', scopes: ['mcp'] }, token: expect.stringMatching(/^tbk_/) },
  },
  {
    command: 'keys',
    args: ['keys', 'revoke', 'nothing', '--data', 'data'],
    code: 2,
    stderr: /^toolbridge: no key "nothing"\. See: toolbridge keys list --everyone\n$/,
  },
  {
    command: 'keys',
    args: ['keys', 'list', '--data', 'data', ...json],
    code: 0,
    schema: 'keys-report list',
    json: { keys: [{ name: 'laptop', owner: 'local' }] },
  },
  {
    command: 'login',
    args: ['login', 'http://tools.example'],
    code: 2,
    stderr:
      /^toolbridge: invalid gateway: expected a URL such as https:\/\/tools\.example, with https and without a path\n$/,
  },
  { command: 'login', args: ['login'], code: 0, stdout: /^Not signed in to a gateway\.\n$/ },
  {
    command: 'logout',
    args: ['logout', 'tools.example'],
    code: 2,
    stderr: /^toolbridge: invalid gateway: /,
  },
  {
    command: 'logout',
    args: ['logout', 'https://tools.example'],
    code: 0,
    stdout: /^Not signed in to https:\/\/tools\.example\.\n$/,
  },
  {
    command: 'grants',
    args: ['grants', 'list', '--data', 'data', ...json],
    code: 0,
    schema: 'grants-report',
    json: {
      grants: [
        { server: 'files', tool: 'read', caller: 'gateway' },
        { server: 'files', tool: 'write', caller: 'gateway' },
      ],
    },
  },
  {
    command: 'grants',
    args: ['grants', 'revoke', 'files', 'write', '--data', 'data', ...json],
    code: 0,
    schema: 'grants-report',
    json: { grants: [{ server: 'files', tool: 'write', caller: 'gateway' }] },
  },
  {
    command: 'grants',
    args: ['grants', 'revoke', 'flies', '--data', 'data'],
    code: 2,
    stderr: /^toolbridge: no grant for a tool of "flies"\. See: toolbridge grants list\n$/,
  },
  {
    command: 'grants',
    args: ['grants', 'lsit', '--data', 'data'],
    code: 2,
    stderr:
      /^toolbridge: unknown command "grants lsit"\. Did you mean "list"\? See: toolbridge grants --help\n$/,
  },
  {
    command: 'completion',
    args: ['completion', 'bash'],
    code: 0,
    stdout: /complete .*toolbridge/,
  },
  {
    command: 'completion',
    args: ['completion', 'basch'],
    code: 2,
    stderr: /^toolbridge: unknown shell "basch": .*Did you mean "bash"\?/,
  },
]

/** Command lines without a command, or with one that does not exist. */
export const otherLines: readonly Omit<Row, 'command'>[] = [
  { args: ['--version'], code: 0, stdout: /^toolbridge \d+\.\d+\.\d+\n$/ },
  { args: ['--help'], code: 0, stdout: /^Usage: toolbridge /m },
  { args: [], code: 0, stdout: /^Usage: toolbridge /m },
  { args: ['tols'], code: 2, stderr: /^toolbridge: unknown command "tols"\. Did you mean "tools"\?/ },
  {
    args: ['config', 'lits'],
    code: 2,
    stderr: /unknown command "config lits"\. Did you mean "config list"\?/,
  },
  {
    args: ['tools', '--formt', 'json'],
    code: 2,
    stderr: /unknown option "--formt"\. Did you mean "--format"\?/,
  },
  {
    args: ['tools', '--format', 'jsn'],
    code: 2,
    stderr: /invalid --format "jsn": expected "text" or "json"/,
  },
]
