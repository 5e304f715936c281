import type { NamingPolicy } from '@toolbridge/client/internal'
import type { ToolAnnotations } from '@toolbridge/client'
import type { DefinedApproval } from '../../src/permission/rules/decide.ts'
import type { PermissionRules } from '../../src/permission/rules/rules.ts'

export type Verdict = 'allow' | 'ask' | 'deny'

export interface CaseContext {
  readonly principal?: string
  readonly annotations?: ToolAnnotations
  readonly defined?: DefinedApproval
  readonly naming?: Partial<NamingPolicy>
  /** What relative paths are relative to. */
  readonly folder?: string
}

/** What is decided about a call, given as server, blank, tool. */
export type Case = readonly [Verdict, string, Readonly<Record<string, unknown>>?, CaseContext?]

export interface CaseGroup {
  readonly about: string
  readonly rules: PermissionRules
  readonly cases: readonly Case[]
}

const kebab: Partial<NamingPolicy> = { separator: '-', sanitize: 'kebab' }
const single: Partial<NamingPolicy> = { separator: '_', sanitize: 'identifier' }
const dotted: Partial<NamingPolicy> = { separator: '.', sanitize: 'namespace-only' }
const bare: Partial<NamingPolicy> = { separator: 'none', sanitize: 'none' }
const reading: ToolAnnotations = { readOnlyHint: true, destructiveHint: false }
const writing: ToolAnnotations = { readOnlyHint: false, destructiveHint: true }

/** Rules that look at names, annotations, principals and definitions. */
export const nameGroups: readonly CaseGroup[] = [
  {
    about: 'no rules',
    rules: {},
    cases: [
      ['ask', 'files read'],
      ['ask', 'files read', { path: '/x' }],
      ['ask', 'files read', {}, { annotations: reading }],
    ],
  },
  {
    about: 'mode allow',
    rules: { mode: 'allow' },
    cases: [['allow', 'files read', { path: '/etc/passwd' }]],
  },
  { about: 'mode yolo', rules: { mode: 'yolo' }, cases: [['allow', 'files write', { path: '/etc/passwd' }]] },
  {
    about: 'mode plan',
    rules: { mode: 'plan', allow: ['mcp:*'] },
    cases: [
      ['deny', 'files read'],
      ['deny', 'files read', {}, { annotations: reading, defined: { approval: { default: 'allow' } } }],
    ],
  },
  {
    about: 'the rule of the source, for calls with arguments, in that naming',
    rules: { allow: ['mcp:filesystem_read_file'] },
    cases: [
      ['allow', 'filesystem read_file', {}, { naming: single }],
      ['allow', 'filesystem read_file', { path: '/tmp/x' }, { naming: single }],
      ['allow', 'filesystem read_file', { path: 'x'.repeat(5_000) }, { naming: single }],
      ['ask', 'filesystem read_file_v2', { path: '/tmp/x' }, { naming: single }],
      ['ask', 'filesystem write_file', {}, { naming: single }],
      ['ask', 'filesystem2 read_file', {}, { naming: single }],
      ['ask', 'filesystem read_file', {}, { naming: kebab }],
      ['ask', 'filesystem read_file'],
    ],
  },
  {
    about: 'an allowed name with a star',
    rules: { allow: ['mcp:files__read*'] },
    cases: [
      ['allow', 'files read'],
      ['allow', 'files read_all', { a: 1 }],
      ['ask', 'files write'],
      ['ask', 'file s__read'],
      ['ask', 'other files__read'],
    ],
  },
  {
    about: 'an allowed address',
    rules: { allow: ['mcp://files/read-file'] },
    cases: [
      ['allow', 'files read-file'],
      ['allow', 'files read-file', { path: '/x' }, { naming: kebab }],
      ['allow', 'files read-file', {}, { naming: bare }],
      ['ask', 'files read_file'],
      ['ask', 'Files read-file'],
      ['ask', 'files read-file2'],
    ],
  },
  {
    about: 'allowed addresses with stars',
    rules: { allow: ['mcp://git*/get_*', 'mcp://*/ping'] },
    cases: [
      ['allow', 'github get_issue'],
      ['allow', 'git get_'],
      ['allow', 'anything ping'],
      ['ask', 'github create_issue'],
      ['ask', 'hub get_issue'],
      ['ask', 'anything pings'],
    ],
  },
  {
    about: 'a denied address survives every naming',
    rules: { mode: 'yolo', deny: ['mcp://files/delete_file'] },
    cases: [
      ['deny', 'files delete_file'],
      ['deny', 'files delete_file', {}, { naming: kebab }],
      ['deny', 'files delete_file', {}, { naming: single }],
      ['deny', 'files delete_file', {}, { naming: dotted }],
      ['deny', 'files delete_file', {}, { naming: bare }],
      ['allow', 'files read_file', {}, { naming: kebab }],
    ],
  },
  {
    about: 'a denied name in other letters, and with a blank before its conditions',
    rules: {
      mode: 'yolo',
      deny: [
        'mcp://Files/Delete_*',
        'mcp:Shell__Run',
        'mcp://s/f (path=/etc/**)',
        ' mcp:s__g ',
        'mcp://s/e\u0301',
      ],
    },
    cases: [
      ['deny', 'files delete_file'],
      ['deny', 'FILES DELETE_FILE'],
      ['deny', 'files delete\u200B_file'],
      ['deny', 'shell run'],
      ['deny', 's f', { path: '/etc/x' }],
      ['allow', 's f', { path: '/tmp/x' }],
      ['deny', 's g'],
      ['deny', 's \u00E9'],
    ],
  },
  {
    about: 'a denied name of another naming',
    rules: { mode: 'yolo', deny: ['mcp:files_delete_file'] },
    cases: [
      ['deny', 'files delete_file'],
      ['deny', 'files delete_file', { path: '/x' }, { naming: kebab }],
      ['deny', 'files delete-file', {}, { naming: kebab }],
      ['deny', 'files delete_file', {}, { naming: dotted }],
      ['deny', 'files delete_file', {}, { naming: bare }],
      ['allow', 'files delete_files', {}, { naming: bare }],
      ['allow', 'file delete_file'],
    ],
  },
  {
    about: 'denied names in kebab, with a dot, and without a server',
    rules: { mode: 'allow', deny: ['mcp:my-files-drop-all', 'mcp:shell.run', 'mcp:wipe'] },
    cases: [
      ['deny', 'my_files drop_all'],
      ['deny', 'My.Files drop-all'],
      ['deny', 'shell run'],
      ['deny', 'shell run', { command: 'ls' }, { naming: kebab }],
      ['deny', 'any wipe'],
      ['deny', 'other wipe', {}, { naming: single }],
      ['allow', 'shell runner'],
      ['allow', 'wipe all'],
    ],
  },
  {
    about: 'a name that is asked about in another naming',
    rules: { mode: 'allow', ask: ['mcp:github-create-*'] },
    cases: [
      ['ask', 'github create_issue'],
      ['ask', 'github create_issue', {}, { naming: single }],
      ['ask', 'github create-pull-request', {}, { naming: bare }],
      ['allow', 'github get_issue'],
    ],
  },
  {
    about: 'deny over ask over allow',
    rules: { mode: 'allow', deny: ['mcp://a/x'], ask: ['mcp://a/x', 'mcp://a/y'], allow: ['mcp://a/*'] },
    cases: [
      ['deny', 'a x'],
      ['ask', 'a y'],
      ['allow', 'a z'],
      ['allow', 'b x'],
    ],
  },
  {
    about: 'yolo asks nobody and denies what is denied',
    rules: { mode: 'yolo', ask: ['mcp:*'], deny: ['mcp://a/x'] },
    cases: [
      ['deny', 'a x'],
      ['allow', 'a y'],
      ['allow', 'a y', {}, { defined: { approval: { default: 'ask' } } }],
      ['deny', 'a y', {}, { defined: { approval: { default: 'deny' } } }],
    ],
  },
  {
    about: 'annotations of servers that are trusted and of others',
    rules: {
      trustAnnotations: ['good*'],
      allow: [{ match: 'mcp:*', annotations: { readOnlyHint: true } }],
      deny: [{ match: 'mcp://*/drop*', annotations: { destructiveHint: true } }],
    },
    cases: [
      ['allow', 'good read', {}, { annotations: reading }],
      ['ask', 'good write', {}, { annotations: writing }],
      ['ask', 'good unsaid'],
      ['ask', 'evil read', {}, { annotations: reading }],
      ['deny', 'good drop', {}, { annotations: writing }],
      ['deny', 'good drop'],
      ['allow', 'good drop', {}, { annotations: reading }],
      ['allow', 'good drop', {}, { annotations: { readOnlyHint: true } }],
      ['deny', 'good drop', {}, { annotations: { readOnlyHint: true, destructiveHint: true } }],
      ['deny', 'evil drop', {}, { annotations: reading }],
    ],
  },
  {
    about: 'the defaults of annotations in the specification',
    rules: {
      mode: 'allow',
      trustAnnotations: ['*'],
      deny: [
        { match: 'mcp://same/*', annotations: { idempotentHint: true } },
        { match: 'mcp://other/*', annotations: { idempotentHint: false } },
        { match: 'mcp://open/*', annotations: { openWorldHint: true } },
        { match: 'mcp://closed/*', annotations: { openWorldHint: false } },
        { match: 'mcp://both/*', annotations: { readOnlyHint: true, openWorldHint: true } },
      ],
    },
    cases: [
      ['allow', 'same x'],
      ['deny', 'same x', {}, { annotations: { idempotentHint: true } }],
      ['deny', 'same x', {}, { annotations: reading }],
      ['deny', 'other x'],
      ['allow', 'other x', {}, { annotations: reading }],
      ['deny', 'open x'],
      ['deny', 'open x', {}, { annotations: reading }],
      ['allow', 'closed x', {}, { annotations: reading }],
      ['deny', 'closed x', {}, { annotations: { openWorldHint: false } }],
      ['allow', 'both x'],
      ['deny', 'both x', {}, { annotations: reading }],
      ['allow', 'both x', {}, { annotations: { readOnlyHint: true, openWorldHint: false } }],
    ],
  },
  {
    about: 'principals',
    rules: {
      mode: 'ask',
      allow: [
        { match: 'mcp://crm/*', principal: 'alice' },
        { match: 'mcp://hr/*', principal: '*@corp.example' },
      ],
      deny: [{ match: 'mcp:*', principal: 'guest*' }],
    },
    cases: [
      ['allow', 'crm find', {}, { principal: 'alice' }],
      ['ask', 'crm find', {}, { principal: 'bob' }],
      ['ask', 'crm find', {}, { principal: 'alice2' }],
      ['allow', 'hr find', {}, { principal: 'bob@corp.example' }],
      ['ask', 'hr find', {}, { principal: 'bob@corp.example.evil' }],
      ['deny', 'crm find', {}, { principal: 'guest-1' }],
    ],
  },
  {
    about: 'what definitions say, below the rules of the same kind',
    rules: { mode: 'ask', allow: ['mcp://a/*'], ask: ['mcp://b/*'], deny: ['mcp://c/*'] },
    cases: [
      ['allow', 'd x', {}, { defined: { approval: { default: 'allow' } } }],
      ['allow', 'd x', {}, { defined: { approval: { tools: { x: 'allow' } } } }],
      ['ask', 'd y', {}, { defined: { approval: { tools: { x: 'allow' } } } }],
      ['deny', 'd x', {}, { defined: { approval: { default: 'allow', tools: { x: 'deny' } } } }],
      ['ask', 'd toString', {}, { defined: { approval: { tools: {} } } }],
      ['ask', 'a x', {}, { defined: { approval: { default: 'ask' } } }],
      ['deny', 'a x', {}, { defined: { approval: { default: 'deny' } } }],
      ['ask', 'b x', {}, { defined: { approval: { default: 'allow' } } }],
      ['deny', 'b x', {}, { defined: { approval: { default: 'deny' } } }],
      ['deny', 'c x', {}, { defined: { approval: { default: 'allow' } } }],
      ['allow', 'd x', {}, { defined: { approval: { default: 'writes' } }, annotations: reading }],
      ['ask', 'd x', {}, { defined: { approval: { default: 'writes' } }, annotations: writing }],
      ['ask', 'd x', {}, { defined: { approval: { default: 'writes' } } }],
      ['deny', 'a x', {}, { defined: { readOnly: true }, annotations: writing }],
      ['deny', 'a x', {}, { defined: { readOnly: true } }],
      ['allow', 'a x', {}, { defined: { readOnly: true }, annotations: reading }],
      ['deny', 'd x', {}, { defined: { readOnly: true, approval: { default: 'allow' } } }],
    ],
  },
  {
    about: 'strange names',
    rules: {
      mode: 'allow',
      deny: ['mcp://a%2Fb/c%2Ad', 'mcp://s/f%28x)', 'mcp://日本/読む', 'mcp://s/100%'],
    },
    cases: [
      ['deny', 'a/b c*d'],
      ['allow', 'a/b cXd'],
      ['deny', 's f(x)'],
      ['deny', '日本 読む'],
      ['deny', 's 100%'],
      ['allow', 's 100'],
    ],
  },
  {
    about: 'arguments whose names are those of every object',
    rules: { mode: 'allow', deny: ['mcp:t__f(constructor=*)', 'mcp:t__g(*.x=1)'] },
    cases: [
      ['allow', 't f', {}],
      ['deny', 't f', { constructor: 'x' }],
      ['deny', 't g', { a: { x: 1 } }],
      ['allow', 't g', { x: 1 }],
      ['allow', 't g', { a: { b: { x: 1 } } }],
    ],
  },
  {
    about: 'rules of other namespaces say nothing about tools',
    rules: {
      mode: 'allow',
      deny: ['resource:*', 'prompt:*', 'sampling:*', 'elicitation:*', 'prompt://*/x(a=1)'],
    },
    cases: [
      ['allow', 'files read'],
      ['allow', 'x x', { a: 1 }],
    ],
  },
]
