import type { ExplainedDefinition, ExplainResponse, FoundFile } from '@toolbridge/api'

const definition: ExplainedDefinition = {
  transport: 'stdio',
  program: { command: 'npx', argumentCount: 2 },
  environment: {
    inherits: 'safe',
    inheritsNames: [],
    removes: [],
    sets: ['API_KEY', 'REGION'],
    hasFile: false,
  },
  variables: { missing: [], missingBecomes: 'error', inputs: ['weather-key'], secrets: [] },
  tools: { readOnly: false },
  timeouts: { startMs: 30_000, callMs: 20_000 },
  start: 'eager',
  replace: 'start-first',
  required: false,
}

/** A text with a server to add, one whose name is taken, and one that cannot be saved. */
export const pastedServers: ExplainResponse = {
  kind: 'document',
  dialect: 'vscode',
  title: 'VS Code',
  servers: [
    {
      name: 'weather',
      state: 'on',
      reasons: [],
      definition,
      entry: {
        command: 'npx',
        args: ['-y', 'weather-mcp', '…'],
        env: { API_KEY: '…', REGION: '…' },
        timeouts: { callMs: 20_000 },
      },
      asks: [
        { variable: 'input:weather-key', description: 'API key of the weather service', isSecret: true },
        { variable: 'input:region', options: ['eu', 'us'], default: 'eu' },
        { variable: 'env:HOME_STATION', isSecret: true },
      ],
    },
    {
      name: 'github',
      state: 'on',
      reasons: [],
      definition: { ...definition, transport: 'http', maySignIn: true },
      entry: { url: 'https://api.githubcopilot.com/mcp/', headers: { Authorization: '…' } },
    },
    {
      name: 'files',
      state: 'refused',
      reasons: [
        {
          code: 'not_for_session',
          message:
            '"cwd" is not supported for saved servers: it is a folder of the machine that runs the server',
          file: 'pasted text',
          fix: 'remove it, and use absolute paths in "args"',
        },
      ],
    },
  ],
  fields: [
    {
      server: 'weather',
      path: '/servers/weather/tool_timeout_sec',
      line: 9,
      column: 7,
      outcome: 'translated',
      reason: 'timeouts.callMs: in seconds',
    },
    {
      server: 'weather',
      path: '/servers/weather/gallery',
      line: 10,
      column: 7,
      outcome: 'dropped',
      reason: 'it only says where VS Code found the server',
    },
  ],
  hostRules: [],
  issues: [
    {
      code: 'not_for_session',
      severity: 'error',
      path: '/servers/files/cwd',
      line: 21,
      column: 14,
      message:
        'server "files": "cwd" is not supported for saved servers: it is a folder of the machine that runs the server',
      fix: 'remove it, and use absolute paths in "args"',
    },
  ],
}

/** The same servers in a file of a host. */
export const foundFiles: readonly FoundFile[] = [
  {
    file: '/home/ada/.config/Code/User/mcp.json',
    dialect: 'vscode',
    title: 'VS Code',
    scope: 'user',
    servers: pastedServers.servers.map((server) => ({ ...server, id: `id-of-${server.name}` })),
    issues: [],
  },
]
