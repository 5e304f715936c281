import { type ConfigScope, type MergeSource, mergeConfigs, readConfig } from '@toolbridge/bridge/config'
import { describe, expect, test } from 'vitest'

function source(scope: ConfigScope, file: string, document: object): MergeSource {
  return { scope, file, reading: readConfig(JSON.stringify(document), { file }) }
}

const servers = (entries: object): object => ({ mcpServers: entries })
const codes = (issues: readonly { readonly code: string }[]): readonly string[] =>
  issues.map(({ code }) => code)

test('of one name the first source wins: flag, context, environment, project, user [D34]', () => {
  const scopes: readonly ConfigScope[] = ['user', 'project', 'environment', 'context', 'flag']
  const sources = scopes.map((scope, index) =>
    source(
      scope,
      `/${scope}.json`,
      servers({ same: { command: scope }, [`only-${index}`]: { command: 'x' } }),
    ),
  )
  const merged = mergeConfigs(sources)
  expect(merged.servers.map(({ spec, scope }) => `${spec.name} ${scope}`)).toEqual([
    'same flag',
    'only-4 flag',
    'only-3 context',
    'only-2 environment',
    'only-1 project',
    'only-0 user',
  ])
  const [same] = merged.servers
  expect(same?.shadowed.map(({ scope, source: { file, line } }) => `${scope} ${file}:${line}`)).toEqual([
    'context /context.json:1',
    'environment /environment.json:1',
    'project /project.json:1',
    'user /user.json:1',
  ])
  expect(merged.issues).toEqual([])
})

test('of one kind of source the file that was found first wins', () => {
  const merged = mergeConfigs([
    source('user', '/a.json', servers({ same: { command: 'a' } })),
    source('user', '/b.json', servers({ same: { command: 'b' } })),
  ])
  expect(merged.servers).toMatchObject([
    { spec: { command: 'a' }, shadowed: [{ source: { file: '/b.json' } }] },
  ])
})

test('the policy says which sources count, and what is left out is told', () => {
  const sources = [
    source('project', '/p.json', servers({ same: { command: 'p' } })),
    source('user', '/u.json', servers({ same: { command: 'u' }, more: { command: 'm' } })),
  ]
  const userFirst = mergeConfigs(sources, { 'config.sources': ['user', 'project'] })
  expect(userFirst.servers.map(({ spec }) => spec)).toMatchObject([{ command: 'u' }, { command: 'm' }])
  const projectOnly = mergeConfigs(sources, { 'config.sources': ['project'] })
  expect(projectOnly.servers.map(({ spec }) => spec.name)).toEqual(['same'])
  expect(projectOnly.issues).toMatchObject([{ code: 'source_unused', file: '/u.json', severity: 'warning' }])
})

describe('a definition that loses is warned of when it allowed less', () => {
  test.each([
    ['enabled', { disabled: true }, {}],
    ['readOnly', { readOnly: true }, {}],
    ['tools.allow', { tools: { allow: ['read*'] } }, { tools: { allow: ['read*', 'write*'] } }],
    ['tools.deny', { tools: { deny: ['drop', 'other'] } }, { tools: { deny: ['other'] } }],
    ['approval.default', { approval: { default: 'ask' } }, { approval: { default: 'writes' } }],
    ['approval.tools', { approval: { tools: { drop: 'deny' } } }, { approval: { default: 'ask' } }],
  ])('%s', (field, narrow, wide) => {
    const merged = mergeConfigs([
      source('project', '/p.json', servers({ db: { command: 'db', ...wide } })),
      source('user', '/u.json', servers({ db: { command: 'db', ...narrow } })),
    ])
    expect(merged.servers[0]?.shadowed[0]?.lostRestrictions).toEqual([field])
    expect(merged.issues).toMatchObject([
      { code: 'server_widened', severity: 'warning', file: '/u.json', path: '/mcpServers/db', line: 1 },
    ])
    const other = mergeConfigs([
      source('project', '/p.json', servers({ db: { command: 'db', ...narrow } })),
      source('user', '/u.json', servers({ db: { command: 'db', ...wide } })),
    ])
    expect(other.servers[0]?.shadowed[0]?.lostRestrictions ?? []).not.toContain(field)
  })

  test('not when the definition in force is off', () => {
    const merged = mergeConfigs([
      source('project', '/p.json', servers({ db: { command: 'db', disabled: true } })),
      source('user', '/u.json', servers({ db: { command: 'db', readOnly: true } })),
    ])
    expect(merged.issues).toEqual([])
  })
})

test('a list of servers that are off is also about those of other files', () => {
  const gemini = source('user', '/home/ada/.gemini/settings.json', {
    mcpServers: { mine: { command: 'x' } },
    mcp: { excluded: ['db'] },
  })
  const merged = mergeConfigs([source('project', '/p.json', servers({ db: { command: 'db' } })), gemini])
  expect(merged.servers).toMatchObject([
    { spec: { name: 'db', enabled: false }, turnedOffBy: gemini.file },
    { spec: { name: 'mine', enabled: true } },
  ])
  expect(codes(merged.issues)).toEqual(['server_turned_off'])
})

test('a list of the only servers that are on is also about those of other files of the same host', () => {
  const project = '/app/.gemini/settings.json'
  const managed = source('user', '/etc/gemini-cli/settings.json', { mcp: { allowed: ['corp'] } })
  const merged = mergeConfigs([
    source('project', project, servers({ corp: { command: 'c' }, mine: { command: 'm' } })),
    source('user', '/home/ada/.cursor/mcp.json', servers({ other: { command: 'o' } })),
    managed,
  ])
  expect(merged.servers).toMatchObject([
    { spec: { name: 'corp', enabled: true } },
    { spec: { name: 'mine', enabled: false }, turnedOffBy: managed.file },
    { spec: { name: 'other', enabled: true } },
  ])
  expect(codes(merged.issues)).toEqual(['server_turned_off'])
})

test('a file that only has a list of servers that are off is read for its list', () => {
  const db = source('project', '/p.json', servers({ db: { command: 'db' } }))
  for (const list of [
    source('user', '/home/ada/.gemini/settings.json', { mcp: { excluded: ['db'] } }),
    source('user', '/home/ada/.claude.json', { disabledMcpServers: ['db'] }),
  ])
    expect(mergeConfigs([db, list])).toMatchObject({
      servers: [{ spec: { name: 'db', enabled: false } }],
      issues: [{ code: 'server_turned_off' }],
    })
})

test('a definition that is refused where it goes first is not replaced by a wider one', () => {
  const merged = mergeConfigs([
    source(
      'project',
      '/p.json',
      servers({ db: { command: 'db', allowedThings: ['read'] }, ok: { command: 'ok' } }),
    ),
    source('user', '/u.json', servers({ db: { command: 'db' }, more: { command: 'more' } })),
  ])
  expect(merged.servers.map(({ spec }) => spec.name)).toEqual(['ok', 'more'])
  expect(codes(merged.issues)).toEqual(['field_restricts', 'server_refused_above'])
})

test('a file that cannot be read hides no other', () => {
  const broken: MergeSource = {
    scope: 'flag',
    file: '/f.json',
    reading: readConfig('{', { file: '/f.json' }),
  }
  const merged = mergeConfigs([broken, source('user', '/u.json', servers({ a: { command: 'a' } }))])
  expect(merged.servers.map(({ spec }) => spec.name)).toEqual(['a'])
  expect(codes(merged.issues)).toEqual(['syntax'])
})
