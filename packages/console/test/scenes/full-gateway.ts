import type { ActivityEntry, InboxItem, KeySummary, ServerStatus, ToolSummary } from '@toolbridge/api'
import { activityEntry, apiKey, serverStatus, toolSummary } from '../samples.ts'
import type { StubGateway } from '../stub-gateway.ts'
import { fillAdministrationOfPerson } from './full-administration.ts'
import { fillLibrary } from './full-library.ts'
import { foundFiles, pastedServers } from './pasted-servers.ts'

/** Fills a gateway like that of a person who has used it for a while. Default of `now`: the current time. */
export function fillGateway(gateway: StubGateway, now: number = Date.now()): void {
  const ago = (minutes: number): string => new Date(now - minutes * 60_000).toISOString()
  gateway.servers = servers
  gateway.tools = tools
  gateway.questions = questionsOf(ago)
  gateway.activity = activityOf(ago)
  gateway.apiKeys = keysOf(ago)
  gateway.saved.push(savedServers)
  fillAdministrationOfPerson(gateway.administration, ago)
  fillLibrary(gateway.library)
  gateway.explanation = pastedServers
  gateway.found = foundFiles
  gateway.callTool = async () => result
}

const result = {
  content: [
    { type: 'text', text: '# Found\n\n- **3** invoices of *October*\n- 1 of them is `overdue`' },
    { type: 'resource_link', uri: 'file:///invoices/2026-10.csv', name: 'All invoices' },
  ],
  structuredContent: {
    invoices: [
      { number: 'A-1041', customer: 'Lovelace & Sons', amount: 1_250, isPaid: true },
      { number: 'A-1042', customer: 'Analytical Engines', amount: 980.5, isPaid: true },
      { number: 'A-1043', customer: 'Babbage Ltd', amount: 312, isPaid: false },
    ],
  },
}

const savedServers = {
  github: {
    url: 'https://api.githubcopilot.com/mcp/',
    headers: { Authorization: 'Bearer ${input:github_token}' },
  },
  postgres: { command: 'npx', args: ['-y', 'postgres-mcp'], env: { DATABASE_URL: 'postgres://localhost' } },
  playwright: { command: 'npx', args: ['-y', '@playwright/mcp'] },
  linear: { url: 'https://mcp.linear.app/mcp' },
  notes: { command: 'notes-server', args: [], disabled: true },
}

const servers: readonly ServerStatus[] = [
  serverStatus('github', {
    transport: 'http',
    toolCount: 4,
    protocolVersion: '2026-07-28',
    startedInMs: 231,
  }),
  idleServer('linear', 'unauthorized', {
    transport: 'http',
    error: 'the server asks for a sign-in',
    canSignIn: true,
  }),
  idleServer('notes', 'disabled'),
  idleServer('playwright', 'failed', {
    error: 'the server ended before it answered (exit code 1)',
    stderr: [
      'Error: Cannot find module ‘playwright-core’',
      'Require stack:',
      '- /srv/tools/playwright/index.js',
    ],
  }),
  idleServer('sentry', 'starting'),
  serverStatus('postgres', { toolCount: 3, startedInMs: 604 }),
  serverStatus('everything', { scope: 'operator', toolCount: 3 }),
  serverStatus('hello', { scope: 'operator', toolCount: 1, startedInMs: 88 }),
]

/** A server that is not connected has told nothing about itself. */
function idleServer(
  name: string,
  state: ServerStatus['state'],
  changes: Partial<ServerStatus> = {},
): ServerStatus {
  return { name, scope: 'user', transport: 'stdio', state, toolCount: 0, ...changes }
}

const text = (title: string, description: string) => ({ type: 'string', title, description })

const tools: readonly ToolSummary[] = [
  {
    ...toolSummary(
      'github',
      'create_issue',
      {
        repository: text('Repository', 'Owner and name, such as `ada/engine`'),
        title: { type: 'string', maxLength: 256 },
        body: { type: 'string', description: 'Markdown' },
        labels: { type: 'array', items: { enum: ['bug', 'question', 'documentation'] } },
        milestone: {
          type: 'object',
          properties: { name: { type: 'string' }, due: { type: 'string', format: 'date' } },
        },
        draft: { type: 'boolean', default: false },
      },
      ['repository', 'title'],
    ),
    title: 'Create an issue',
    description:
      'Creates an issue in a repository that you can write to.\n\n- **Labels** that do not exist are created.\n- Returns the *number* of the issue and its `url`.',
  },
  described('github', 'search_code', 'Finds code in all repositories by words, a language or a path.'),
  described('github', 'list_pull_requests', 'Pull requests of a repository, newest first.'),
  described('github', 'merge_pull_request', 'Merges a pull request, if its checks have passed.'),
  described('postgres', 'query', 'Runs one SQL statement in a transaction that only reads.'),
  described('postgres', 'explain', 'The plan of a statement, with costs.'),
  described('postgres', 'list_tables', 'Tables with their columns, keys and sizes.'),
  described('everything', 'echo', 'Returns what it is given.'),
  described('everything', 'get_image', 'Returns a small picture.'),
  described('everything', 'long_running', 'Takes a while and reports its progress.'),
  described('hello', 'hello', 'Greets somebody, or the world.'),
]

function described(server: string, name: string, description: string): ToolSummary {
  return { ...toolSummary(server, name, { text: { type: 'string' } }), description }
}

type Ago = (minutes: number) => string

function questionsOf(ago: Ago): readonly InboxItem[] {
  return [
    {
      id: 'merge',
      kind: 'approval',
      askedAt: ago(1),
      server: 'github',
      tool: 'github__merge_pull_request',
      message: 'Claude Code wants to merge a pull request.',
      detail: 'github__merge_pull_request { repository: "ada/engine", number: 42 }',
      arguments: { text: '{\n  "repository": "ada/engine",\n  "number": 42\n}', omitted: 0 },
      decisions: ['once', 'session', 'tool', 'always'],
    },
    {
      id: 'table',
      kind: 'form',
      askedAt: ago(3),
      server: 'postgres',
      tool: 'postgres__query',
      message: 'Two schemas have a table “orders”. Which one do you mean?',
      schema: {
        properties: {
          schema: { type: 'string', enum: ['public', 'archive'], title: 'Schema' },
          limit: { type: 'integer', title: 'Rows at most', default: 100, minimum: 1 },
        },
        required: ['schema'],
      },
    },
    {
      id: 'token',
      kind: 'input',
      askedAt: ago(12),
      server: 'sentry',
      message: 'An auth token of your Sentry organization',
      input: { id: 'sentry_token', isSecret: true },
    },
  ]
}

const outcomes: readonly ActivityEntry['outcome'][] = [
  'ok',
  'ok',
  'ok',
  'ok',
  'tool_error',
  'ok',
  'ok',
  'denied',
]
const sources = ['Claude Code', 'Cursor', 'console', 'nightly workflow']

function activityOf(ago: Ago): readonly ActivityEntry[] {
  return Array.from({ length: 48 }, (_, index) => {
    const { name, server } = tools[(index * 7) % tools.length] ?? { name: '', server: '' }
    const outcome = outcomes[(index * 5) % outcomes.length] ?? 'ok'
    return activityEntry(`call-${index}`, {
      at: ago(index * 3.5 + (index % 5)),
      tool: name,
      server,
      conversation: sources[index % sources.length] ?? '',
      latencyMs: 12 + ((index * 37) % 90) + (index % 17 === 0 ? 1_400 : 0),
      outcome,
      ...(outcome === 'tool_error' ? { error: 'the repository “ada/motor” does not exist' } : {}),
      ...(outcome === 'denied' ? { error: 'a rule denies tools that merge' } : {}),
    })
  })
}

function keysOf(ago: Ago): readonly KeySummary[] {
  const [created, expires] = [ago(60 * 24 * 20), ago(-60 * 24 * 70)]
  return [
    apiKey('Claude Code on the laptop', { createdAt: created, expiresAt: expires, lastUsedAt: ago(1) }),
    apiKey('nightly workflow', {
      createdAt: created,
      expiresAt: expires,
      scopes: ['api'],
      lastUsedAt: ago(700),
    }),
    apiKey('old build server', { createdAt: created, expiresAt: ago(60 * 24) }),
  ]
}
