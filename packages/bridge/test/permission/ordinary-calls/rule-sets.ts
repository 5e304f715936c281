import type { PermissionRules } from '@toolbridge/bridge'

/** Rules that every ordinary call is judged by. */
export interface RuleSet {
  readonly about: string
  /** Whether the servers are programs on this machine, so that relative paths have a folder. */
  readonly isLocal: boolean
  /** Whether arguments are searched for control files, which is slow and does not depend on the other rules. */
  readonly hasControlFiles?: boolean
  readonly rules: PermissionRules
}

/** In the order of the letters of `calls.jsonl`. */
export const ruleSets: readonly RuleSet[] = [
  {
    about: 'places that are denied in every argument',
    isLocal: true,
    rules: {
      mode: 'allow',
      deny: [
        'mcp://*/*(**=/etc/**)',
        'mcp://*/*(**=**/.env)',
        'mcp://*/*(**=~/.ssh/**)',
        'mcp://*/*(path=secrets/**)',
        'mcp://*/*(source=/proc/**)',
        'resource://*/file:///etc/**',
        'resource://*/file:///*/.env',
      ],
    },
  },
  {
    about: 'places and addresses of some arguments',
    isLocal: false,
    rules: {
      mode: 'allow',
      deny: [
        'mcp://filesystem/*(path=/etc/**)',
        'mcp://*/*(files.path=.github/**)',
        'mcp://*/*(url=https://internal.example/**)',
        'mcp://*/*(url=*://127.*)',
        'mcp://*/*(**=**/node_modules/**)',
        'resource://docs/https://internal.example/*',
      ],
      ask: [
        'mcp://*/*(branch=release/*)',
        'mcp://*/*(url=http://**)',
        'mcp://*/*(**=C:/Users/**)',
        'mcp://git/*(**=../**)',
      ],
    },
  },
  {
    about: 'secrets, commands and words',
    isLocal: false,
    rules: {
      mode: 'allow',
      deny: [
        'mcp://*/*(**=*BEGIN RSA PRIVATE KEY*)',
        'mcp://*/*(command=rm *)',
        'mcp://*/*(command=*sudo *)',
        'mcp://*/*(query=*drop table*)',
        'mcp://*/*(sql=*drop table*)',
        'mcp://mail/*(to=*@partner.example)',
      ],
      ask: [
        'mcp://shell/*(command=git push*)',
        'mcp://shell/*(command=*curl *)',
        'mcp://*/*(**=*Größe*)',
        'mcp://*/*(message=*50%*)',
      ],
    },
  },
  {
    about: 'numbers, truth and equal values',
    isLocal: true,
    rules: {
      mode: 'allow',
      deny: [
        { match: 'mcp://*/*', arguments: { force: true } },
        { match: 'mcp://*/*', arguments: { limit: 10_000 } },
        { match: 'mcp://*/*', arguments: { visibility: { equals: 'public' } } },
        { match: 'mcp://git/push', arguments: { branch: { equals: 'main' } } },
        { match: 'mcp://users/*', arguments: { permissions: { equals: { role: 'owner' } } } },
        { match: 'mcp://github/*', arguments: { labels: { equals: ['security'] } } },
      ],
      ask: [
        { match: 'mcp://*/*', arguments: { draft: false } },
        { match: 'mcp://*/*', arguments: { recursive: true } },
        { match: 'mcp://*/*', arguments: { assignee: null } },
        { match: 'mcp://lists/*', arguments: { 'options.retries': 3 } },
        { match: 'mcp://shell/run', arguments: { command: { equals: 'npm test' } } },
      ],
    },
  },
  {
    about: 'places and commands that are allowed',
    isLocal: true,
    rules: {
      allow: [
        'mcp://*/*(path=src/**)',
        'mcp://*/*(path=out/*)',
        'mcp://*/*(path=docs/**)',
        'mcp://*/*(path=/home/ada/project/**)',
        'mcp://*/*(path=file:///home/ada/project/**)',
        'mcp://*/*(path=*.md)',
        'mcp://*/*(source=src/**, destination=src/**)',
        'mcp://*/*(url=https://docs.example.com/**)',
        'mcp://shell/run(command=npm *)',
        'mcp://shell/run(command=git status*)',
        'mcp://shell/run(command=date **)',
        'mcp://shell/run(command=printf **)',
        'mcp://git/*(branch=feature/**)',
        'mcp://storage/*(key=a/**)',
      ],
    },
  },
  {
    about: 'texts that are allowed',
    isLocal: false,
    rules: {
      allow: [
        'mcp://notes/*(content=*)',
        'mcp://slack/*(channel_id="C024BE91L", text=**)',
        'mcp://discord/*(message=**)',
        'mcp://mail/*(to=*@example.*, body=**)',
        'mcp://thinking/*(thought=**)',
        'mcp://sqlite/*(query=select **)',
        'mcp://git/commit(message=**)',
        'mcp://github/*(body=**)',
        'mcp://browser/type(text=*)',
        'mcp://filesystem/write_file(path=out/*, content=**)',
        'mcp://editor/*(path=src/**, file_text=**)',
        'mcp://translate/*(**=**)',
        { match: 'mcp://notes/append', arguments: { title: 'Café*' } },
        { match: 'mcp://notes/append', arguments: { priority: ['low', { equals: 'high' }] } },
        { match: 'mcp://github/search_code', arguments: { page: 1 } },
        { match: 'mcp://users/*', arguments: { active: true, 'Address.ZIP': '01067' } },
        'mcp://math/*(expression=*%*)',
      ],
    },
  },
  {
    about: 'control files of a machine, and more of them',
    isLocal: true,
    hasControlFiles: true,
    rules: { mode: 'allow', controlFiles: ['Makefile', '/srv/policy/*', '*.pem'] },
  },
  {
    about: 'rules that are restricted by others, and control files elsewhere',
    isLocal: false,
    hasControlFiles: true,
    rules: {
      mode: 'yolo',
      deny: ['mcp://*/*(edits.newText=*TODO*)', 'mcp://*/*(*.path=**/.git/**)'],
      restrictedBy: [
        { mode: 'allow', deny: ['mcp://*/*(**=/dev/**)'], controlFiles: ['package.json'] },
        { mode: 'ask', allow: ['mcp:*'], ask: ['mcp://*/*(**=**password**)', 'mcp://*/*(cwd=src/**)'] },
      ],
    },
  },
]
