import { describe, expect, test } from 'vitest'
import { everyNameOf } from '../../src/naming/every-name.ts'
import { identifier } from '../../src/naming/identifier.ts'
import {
  agentToolNaming,
  defaultNaming,
  type NamingPolicy,
  namingPolicy,
} from '../../src/naming/naming-policy.ts'
import { distinctNamespaces, namespaceOf } from '../../src/naming/server-namespace.ts'
import { firstName, hashedName, mayBeNameOf, plainName, withLongerHash } from '../../src/naming/tool-names.ts'
import { nameTools, resolveNames } from '../../src/naming/unique-names.ts'
import { urlNamespace } from '../../src/naming/url-namespace.ts'

const kebab = namingPolicy({ separator: '-', sanitize: 'kebab' })
const raw = namingPolicy({ separator: '.', sanitize: 'none' })
const bare = namingPolicy({ separator: 'none', sanitize: 'none' })
const unlimited = namingPolicy({ maxLength: Number.POSITIVE_INFINITY })

test('the defaults are those of the documentation', () => {
  const usual = { separator: '__', sanitize: 'identifier', maxLength: 64, onCollision: 'suffix' }
  expect(defaultNaming).toEqual(usual)
  expect(namingPolicy()).toEqual(usual)
  expect(agentToolNaming).toEqual({ ...usual, sanitize: 'namespace-only' })
})

test('a policy leaves at least 24 characters for a name', () => {
  expect(namingPolicy({ maxLength: 24 }).maxLength).toBe(24)
  expect(() => namingPolicy({ maxLength: 23 })).toThrow(
    'names need space for a hash: maxLength must be at least 24',
  )
})

test.each([
  ['read_file', 'read_file'],
  ['read-file.v2', 'read_file_v2'],
  ['a', 'a'],
  ['--', ''],
  ['__', ''],
  ['', ''],
  ['読む', ''],
])('%j as an identifier is %j', (text, expected) => {
  expect(identifier(text)).toBe(expected)
})

describe('the plain name', () => {
  test.each<[string, string, NamingPolicy, string]>([
    ['my-server', 'read.file', defaultNaming, 'my_server__read_file'],
    ['My Server!', '__Do  It__', kebab, 'my-server-do-it'],
    ['--A', 'B--', kebab, 'a-b'],
    ['my-server', 'read.file', agentToolNaming, 'my_server__read.file'],
    ['my server', 'read.file', raw, 'my server.read.file'],
    ['my server', 'read.file', bare, 'read.file'],
    ['!', '?', defaultNaming, 'server__tool'],
    ['!', '?', kebab, 'server-tool'],
    ['', '', raw, 'server.tool'],
    ['', '', bare, 'tool'],
    ['s', 'mcp://x', bare, 'mcp_//x'],
    ['s', 'xmcp:', bare, 'xmcp:'],
    ['s', 'a\uD800b\uDC00', bare, 'a\uFFFDb\uFFFD'],
    ['mcp:s', 't', raw, 'mcp_s.t'],
  ])('of %j and %j', (server, tool, policy, name) => {
    expect(plainName({ server, tool }, policy)).toBe(name)
  })
})

describe('the first name', () => {
  const hash = /_[\da-f]{8}$/

  test.each<[string, string, NamingPolicy]>([
    ['files', 'read', defaultNaming],
    ['files', 'read.file', defaultNaming],
    ['my files', 'read?', defaultNaming],
    ['ファイル', '読む', raw],
    ['ファイル', '読む', bare],
    ['ファイル', 'read', bare],
    ['files', '読む', agentToolNaming],
    ['-', 'x', raw],
    ['my server', 'read', agentToolNaming],
    ['ファイル', 'read', namingPolicy({ separator: 'none' })],
  ])('of %j and %j is the plain one', (server, tool, policy) => {
    const pair = { server, tool }
    expect(firstName(pair, policy)).toBe(plainName(pair, policy))
  })

  test.each<[string, string, NamingPolicy]>([
    ['files', '読む', defaultNaming],
    ['files', 'read_読む', defaultNaming],
    ['ファイル', 'read', defaultNaming],
    ['ファイル', 'read', agentToolNaming],
    ['!', 'read', defaultNaming],
    ['files', '?', defaultNaming],
    ['files', 'a\uD800', bare],
    ['files', 'mcp:x', agentToolNaming],
    ['files', 'café', defaultNaming],
    ['!', 'read', agentToolNaming],
  ])('of %j and %j has a hash, because letters are lost', (server, tool, policy) => {
    const pair = { server, tool }
    expect(firstName(pair, policy)).toBe(hashedName(pair, policy))
    expect(firstName(pair, policy)).toMatch(hash)
  })

  test('is cut only if it is longer than the limit', () => {
    const fitting = { server: 's', tool: 'x'.repeat(61) }
    expect(firstName(fitting, defaultNaming)).toBe(`s__${'x'.repeat(61)}`)
    const long = { server: 's', tool: 'x'.repeat(62) }
    expect(firstName(long, defaultNaming)).toMatch(/^s__x{52}_[\da-f]{8}$/)
    expect(firstName(long, unlimited)).toBe(`s__${'x'.repeat(62)}`)
  })
})

test('the hash is of server and tool, and its separator is that of the style', () => {
  const pair = { server: 'files', tool: 'read' }
  // printf '["files","read"]' | sha256sum
  expect(hashedName(pair, defaultNaming)).toBe('files__read_f6a0fd46')
  expect(hashedName(pair, kebab)).toBe('files-read-f6a0fd46')
  expect(hashedName({ server: 'filesread', tool: '' }, defaultNaming).slice(-8)).not.toBe(
    hashedName(pair, defaultNaming).slice(-8),
  )
  const cutAtDash = { server: 's', tool: `${'x'.repeat(52)}-y${'z'.repeat(9)}` }
  expect(hashedName(cutAtDash, kebab)).toMatch(/^s-x{52}-[\da-f]{8}$/)
})

test('no character is cut in half', () => {
  const policy = namingPolicy({ ...bare, maxLength: 24 })
  expect(firstName({ server: 's', tool: '😀'.repeat(20) }, policy)).toMatch(/^(😀){7}_[\da-f]{8}$/u)
  expect(firstName({ server: 's', tool: `${'x'.repeat(14)}😀${'x'.repeat(20)}` }, policy)).toMatch(
    /^x{14}_[\da-f]{8}$/,
  )
  expect(firstName({ server: 's', tool: `😀${'x'.repeat(30)}` }, policy)).toMatch(/^😀x{13}_[\da-f]{8}$/u)
})

describe('a longer hash', () => {
  test('grows by eight digits up to forty, and then there is no further one', () => {
    const pair = { server: 'files', tool: 'read' }
    const lengths = [undefined, 8, 16, 24, 32].map((length) => {
      const { name, length: longer } = withLongerHash(pair, defaultNaming, length)
      expect(name).toMatch(new RegExp(`^files__read_[\\da-f]{${longer}}$`))
      return longer
    })
    expect(lengths).toEqual([8, 16, 24, 32, 40])
    expect(() => withLongerHash(pair, defaultNaming, 40)).toThrow('the same tool was named twice')
  })

  test('follows that of a first name that has one', () => {
    expect(withLongerHash({ server: 'files', tool: '読む' }, defaultNaming, undefined).length).toBe(16)
  })

  test('leaves two characters of a short name', () => {
    const policy = namingPolicy({ maxLength: 24 })
    const { name, length } = withLongerHash({ server: 'files', tool: 'read' }, policy, 16)
    expect(length).toBe(22)
    expect(name).toMatch(/^f_[\da-f]{22}$/)
  })
})

describe('a name may be of a server', () => {
  test.each<[boolean, string, string, NamingPolicy]>([
    [true, 'files', 'files__read', defaultNaming],
    [false, 'files', 'mail__send', defaultNaming],
    [false, 'files', 'file__read', defaultNaming],
    [true, 'my-files', 'my_files__read', defaultNaming],
    [true, 'files', 'anything', bare],
    [true, 'x'.repeat(40), `${'x'.repeat(23)}_hash`, defaultNaming],
    [false, 'x'.repeat(40), `${'x'.repeat(22)}_hash`, defaultNaming],
    [true, 'files', 'f', namingPolicy({ maxLength: 24 })],
  ])('%j: %s and %s', (expected, server, name, policy) => {
    expect(mayBeNameOf(server, name, policy)).toBe(expected)
  })
})

test('every name of a pair is one that some policy gives it', () => {
  const names = everyNameOf({ server: 'My Files', tool: 'read.file' })
  const plain = [...names].filter((name) => !/[_-][\da-f]{8}$/.test(name))
  const tools = { kebab: 'read-file', identifier: 'read_file', raw: 'read.file' }
  const servers = { kebab: 'my-files', identifier: 'My_Files', raw: 'My Files' }
  const joined = ['-', '_', '.', '__'].flatMap((separator) => [
    `${servers.kebab}${separator}${tools.kebab}`,
    `${servers.identifier}${separator}${tools.identifier}`,
    `${servers.identifier}${separator}${tools.raw}`,
    `${servers.raw}${separator}${tools.raw}`,
  ])
  expect(plain.toSorted()).toEqual([...joined, ...Object.values(tools)].toSorted())
  expect([...names].filter((name) => /[_-][\da-f]{8}$/.test(name)).length).toBe(plain.length)
  const long = everyNameOf({ server: 's', tool: 'x'.repeat(80) })
  expect(long).toContain(`s__${'x'.repeat(80)}`)
  expect([...long].some((name) => /^s__x{52}_[\da-f]{8}$/.test(name))).toBe(true)
})

describe('tools that would share a name', () => {
  const one = { server: 'a b', tool: 'read' }
  const other = { server: 'a-b', tool: 'read' }
  const third = { server: 'c', tool: 'read' }

  test('all get a hash under suffix, and others are not touched', () => {
    expect(nameTools([one, third, other])).toEqual([
      { name: hashedName(one, defaultNaming), hasCollided: true },
      { name: 'c__read', hasCollided: false },
      { name: hashedName(other, defaultNaming), hasCollided: true },
    ])
  })

  test('are not offered under error', () => {
    const policy = namingPolicy({ onCollision: 'error' })
    expect(nameTools([one, third, other], policy)).toEqual([
      { name: undefined, hasCollided: true },
      { name: 'c__read', hasCollided: false },
      { name: undefined, hasCollided: true },
    ])
  })

  test('are offered once under first-wins: the first by server, then by tool, in any order', () => {
    const policy = namingPolicy({ onCollision: 'first-wins' })
    expect(nameTools([other, one], policy)).toEqual([
      { name: undefined, hasCollided: true },
      { name: 'a_b__read', hasCollided: true },
    ])
    expect(nameTools([one, other], policy).map(({ name }) => name)).toEqual(['a_b__read', undefined])
    const tools = ['x.y', 'x-y', 'x y'].map((tool) => ({ server: 'z', tool }))
    expect(nameTools(tools, policy).map(({ name }) => name)).toEqual([undefined, undefined, 'z__x_y'])
    const reversed = nameTools(tools.toReversed(), policy).map(({ name }) => name)
    expect(reversed).toEqual(['z__x_y', undefined, undefined])
  })

  test('get longer hashes until they differ from names that look like theirs', () => {
    const imitation = { server: 'a_b', tool: hashedName(one, defaultNaming).slice('a_b__'.length) }
    const names = nameTools([one, other, imitation]).map(({ name }) => name)
    expect(new Set(names).size).toBe(3)
    expect(nameTools([one, other, imitation]).every(({ hasCollided }) => hasCollided)).toBe(true)
    expect(names[0]).toMatch(/^a_b__read_[\da-f]{16}$/)
    expect(names[1]).toMatch(/^a_b__read_[\da-f]{8}$/)
  })

  test('are treated each as its own policy says', () => {
    const named = [
      { pair: one, first: 'x', policy: namingPolicy({ onCollision: 'suffix' }) },
      { pair: other, first: 'x', policy: namingPolicy({ onCollision: 'error' }) },
      { pair: third, first: 'x', policy: namingPolicy({ onCollision: 'first-wins' }) },
    ]
    expect(resolveNames(named).map(({ name }) => name)).toEqual([
      hashedName(one, defaultNaming),
      undefined,
      'x',
    ])
  })

  test('cannot be the same pair', () => {
    expect(() => nameTools([one, one])).toThrow('the same tool was named twice')
  })
})

describe('the namespace of a server', () => {
  test.each([
    [{ name: 'my-server', url: 'https://mcp.example.com/' }, 'my_server'],
    [{ url: 'https://mcp.example.com/' }, 'mcp'],
    [{ url: 'https://mcp.host1/' }, 'mcp'],
    [{ url: 'https://127.0.0.1:3000/' }, '127_0_0_1'],
    [{ url: 'https://[::1]/' }, '___1_'],
    [{ url: 'https://10x.example/' }, '10x'],
    [{ url: 'no address' }, 'server'],
    [{ name: 'files', command: 'node' }, 'files'],
    [{ command: 'node' }, 'node'],
    [{ command: '/usr/bin/server.sh' }, 'server'],
    [{ command: 'C:\\Tools\\server.v2.exe' }, 'server_v2'],
    [{ command: '.hidden' }, '_hidden'],
    [{ name: '!', command: 'node' }, 'server'],
    [{}, 'server'],
  ])('%j is %s', (source, expected) => {
    expect(namespaceOf(source)).toBe(expected)
  })

  test('by URL is that of the name or of the host', () => {
    expect(urlNamespace({ name: 'a b', url: 'https://mcp.example.com/' })).toBe('a_b')
    expect(urlNamespace({ url: 'https://mcp.example.com/' })).toBe('mcp')
  })

  test('gets a number where it occurs more than once', () => {
    expect(distinctNamespaces(['mcp', 'files', 'mcp', 'mcp_2', 'mcp'])).toEqual([
      'mcp',
      'files',
      'mcp_2',
      'mcp_2_2',
      'mcp_3',
    ])
  })
})
