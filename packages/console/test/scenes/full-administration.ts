import type { Administration } from '../administration.ts'
import { activityEntry } from '../samples.ts'

/** Fills the pages about versions, permissions, hosts and the audit like those of a person who has used them. */
export function fillAdministrationOfPerson(data: Administration, ago: (minutes: number) => string): void {
  data.versions = {
    versions: [3, 2, 1].map((version) => ({
      version,
      id: `version-${version}`,
      createdAt: ago((4 - version) ** 4 * 20),
      createdBy: 'ada',
      isCurrent: version === 3,
      ...(version === 1 ? {} : { lastUsedAt: ago((4 - version) * 2) }),
    })),
  }
  data.diff = {
    from: 2,
    to: 3,
    changes: [
      {
        path: '/mcpServers/playwright',
        after: 'object',
        afterText: '{\n  "command": "npx",\n  "args": ["-y", "@playwright/mcp"]\n}',
      },
      { path: '/mcpServers/postgres/env/DATABASE_URL', before: 'string', after: 'string' },
      { path: '/mcpServers/notes/disabled', after: 'boolean', afterText: 'true' },
    ],
  }
  fillPermissions(data)
  data.hosts = {
    hosts: [
      { name: 'claude-code', lastSeenAt: ago(1) },
      { name: 'cursor-vscode', lastSeenAt: ago(190) },
    ],
  }
  data.audit = {
    entries: [
      { at: ago(2), action: 'read', kind: 'setting', name: ['mcp', 'servers', '3'] },
      { at: ago(12), action: 'refuse', kind: 'input', name: ['sentry', 'sentry_token'] },
      { at: ago(20), action: 'save', kind: 'setting', name: ['mcp', 'servers', '3'] },
      { at: ago(41), action: 'read', kind: 'credential', name: ['https://mcp.linear.app/mcp'] },
      { at: ago(43), action: 'remove', kind: 'grant', name: ['github', 'delete_repository'] },
    ],
  }
  fillTrace(data, ago)
}

function fillPermissions(data: Administration): void {
  data.permissions = {
    rules: { deny: ['mcp://github/delete_*'], ask: ['mcp://github/merge_*'], allow: ['mcp://postgres/*'] },
    version: 1,
    gatewayMode: 'ask',
  }
  const rule = { index: 0, dependsOnArguments: false }
  data.described = {
    rules: [
      {
        ...rule,
        kind: 'deny',
        sentence: 'Denies calls of the tools named delete_* of github.',
        tools: [],
        toolCount: 0,
      },
      {
        ...rule,
        kind: 'ask',
        sentence: 'Asks before calls of the tools named merge_* of github.',
        tools: ['github__merge_pull_request'],
        toolCount: 1,
      },
      {
        ...rule,
        kind: 'allow',
        sentence: 'Allows calls of every tool of postgres.',
        tools: ['postgres__query', 'postgres__explain', 'postgres__list_tables'],
        toolCount: 3,
      },
    ],
  }
  data.grants = {
    grants: [
      {
        id: 'grant',
        server: 'github',
        tool: 'github__create_issue',
        asks: ['rule ask mcp://github/*'],
      },
    ],
  }
  data.pins = {
    pins: [
      {
        tool: 'github__search_code',
        server: 'github',
        rawName: 'search_code',
        state: 'changed',
        change: [
          '- description: Finds code in all repositories by words.',
          '+ description: Finds code in all repositories by words, a language or a path.',
        ].join('\n'),
      },
      { tool: 'github__create_issue', server: 'github', rawName: 'create_issue', state: 'unchanged' },
    ],
  }
}

function fillTrace(data: Administration, ago: (minutes: number) => string): void {
  const entry = activityEntry('1', {
    at: ago(3),
    tool: 'github__merge_pull_request',
    server: 'github',
    host: 'Claude Code',
    latencyMs: 14_320,
  })
  data.trace = {
    entry,
    rawName: 'merge_pull_request',
    permission: { verdict: 'allow', reason: 'rule ask mcp://github/merge_*' },
    questions: [
      { kind: 'approval', askedAt: ago(3.25), answeredAt: ago(3.05), action: 'accept' },
      { kind: 'form', askedAt: ago(3.04), answeredAt: ago(3.01), action: 'accept' },
    ],
    arguments: { text: '{"repository":"ada/engine","number":42}', omitted: 0 },
    result: {
      text: '{"content":[{"type":"text","text":"Merged as 6f1c9ab."}]}',
      omitted: 0,
    },
    calls: [activityEntry('2', { tool: 'github__list_pull_requests', server: 'github', latencyMs: 112 })],
  }
}
