import { expect, test } from 'vitest'
import type { BridgeTool } from '../../src/catalog/bridge-tool.ts'
import { describeRules } from '../../src/permission/rules/describe-rules.ts'
import type { PermissionRule } from '../../src/permission/rules/rules.ts'

const sentenceOf = (rule: string | PermissionRule): string =>
  describeRules({ deny: [rule] }, [])[0]?.sentence ?? ''

test.each<readonly [string | PermissionRule, string]>([
  ['mcp:*', 'Denies calls of every tool.'],
  ['mcp:files__read', 'Denies calls of the tool files__read.'],
  ['mcp:files__*', 'Denies calls of the tools named files__*.'],
  ['mcp://files/*', 'Denies calls of every tool of files.'],
  ['mcp://*/delete_*', 'Denies calls of the tools named delete_* of any server.'],
  ['mcp://a%2Fb/x%28y', 'Denies calls of the tool x(y of a/b.'],
  ['mcp://files/write(path=/etc/**)', 'Denies calls of the tool write of files where path matches /etc/**.'],
  [
    'mcp://git/push(branch="main", force=true)',
    'Denies calls of the tool push of git where branch is "main" and force matches true.',
  ],
  ['mcp://*/*(**=*KEY*)', 'Denies calls of every tool of any server where any argument matches *KEY*.'],
  ['resource:files', 'Denies reading every resource of files.'],
  ['resource://files/file:///etc/*', 'Denies reading the resources named file:///etc/* of files.'],
  ['prompt://wiki/greet', 'Denies getting the prompt greet of wiki.'],
  ['sampling:*', 'Denies sampling requests of any server.'],
  ['elicitation:wiki', 'Denies questions of wiki.'],
  ['elicitation://wiki/url', 'Denies questions with addresses to open of wiki.'],
  [
    { match: 'mcp://mail/send', arguments: { '/to': ['*@rival.example', { equals: ['all'] }] } },
    'Denies calls of the tool send of mail where to matches *@rival.example or is ["all"].',
  ],
  [
    { match: 'mcp:*', annotations: { readOnlyHint: false, destructiveHint: true } },
    'Denies calls of every tool if the tool says that it may write and may destroy data.',
  ],
  [{ match: 'mcp://crm/*', principal: 'ci-*' }, 'Denies calls of every tool of crm for ci-*.'],
])('a rule is explained in one sentence: %j', (rule, sentence) => {
  expect(sentenceOf(rule)).toBe(sentence)
})

const tool = (server: string, rawName: string): BridgeTool => ({
  name: `${server}__${rawName}`,
  server,
  rawName,
  uri: `mcp://${server}/${rawName}`,
  plainNames: [],
  definition: { name: rawName, inputSchema: {} },
})

test('each rule names the tools that it covers now, in the order of the lists', () => {
  const tools = [tool('files', 'read'), tool('files', 'write'), tool('git', 'read')]
  const described = describeRules(
    { deny: ['mcp://files/write(path=/etc/**)'], allow: ['mcp:files__*', 'mcp:read'], ask: ['mcp:READ'] },
    tools,
  )
  expect(described.map(({ kind, index, tools: covered }) => [kind, index, covered])).toEqual([
    ['allow', 0, ['files__read', 'files__write']],
    ['allow', 1, []],
    ['ask', 0, ['files__read', 'git__read']],
    ['deny', 0, ['files__write']],
  ])
  expect(described.map(({ dependsOnArguments }) => dependsOnArguments)).toEqual([false, false, false, true])
})
