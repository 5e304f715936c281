import { editConfig, entryHash, explainConfig, readConfig } from '@toolbridge/bridge/config'
import { describe, expect, test } from 'vitest'

const file = '/w/servers.json'
const server = { type: 'stdio', command: 'a', args: ['${env:A}'] }

function read(document: object, dialect?: string): ReturnType<typeof readConfig> {
  const options = { file, kind: 'project' as const }
  return readConfig(JSON.stringify(document), dialect === undefined ? options : { ...options, dialect })
}

test('a file may name its dialect, which is not guessed then [S3-6]', () => {
  const servers = { a: server }
  expect(read({ servers }).dialect).toBe('vscode')
  const reading = read({ dialect: 'yaaf', servers })
  expect(reading).toMatchObject({ dialect: 'yaaf', issues: [], servers: [{ name: 'a', dialect: 'yaaf' }] })
  expect(readConfig('dialect: yaaf\nservers: {a: {command: a}}', { file: 'a.yaml' })).toMatchObject({
    dialect: 'yaaf',
    issues: [],
  })
})

test('the dialect that the reader names goes before that of the file', () => {
  expect(read({ dialect: 'yaaf', servers: { a: server } }, 'vscode')).toMatchObject({
    dialect: 'vscode',
    issues: [],
  })
})

test('an unknown dialect is an error at its position, with a suggestion', () => {
  const text = '{\n  "dialect": "yaff",\n  "servers": { "a": { "command": "a" } }\n}'
  expect(readConfig(text, { file })).toMatchObject({
    dialect: '',
    servers: [],
    issues: [
      {
        code: 'dialect_unknown',
        severity: 'error',
        line: 2,
        column: 14,
        path: '/dialect',
        message: 'unknown dialect "yaff"',
        fix: expect.stringMatching(/^did you mean "yaaf"\? use one of: mcp-servers, /),
      },
    ],
  })
})

test('a dialect whose servers are under another key is an error that names the key', () => {
  expect(read({ dialect: 'yaaf', mcpServers: { a: server } }).issues).toMatchObject([
    { code: 'root_missing', message: 'the document defines no servers for yaaf' },
  ])
})

describe('what only looks like it', () => {
  test('is a setting of its own in a settings file of a host', () => {
    const document = { dialect: 'en-GB', context_servers: { a: { command: 'a' } } }
    const reading = readConfig(JSON.stringify(document), { file: '/w/.zed/settings.json' })
    expect(reading).toMatchObject({ dialect: 'zed', issues: [], servers: [{ name: 'a' }] })
  })

  test('is a server where it is an object, and unknown where it is not a text', () => {
    expect(read({ dialect: { command: 'a' } }).servers.map(({ name }) => name)).toEqual(['dialect'])
    expect(read({ dialect: 7, servers: { a: server } }).issues).toMatchObject([
      { code: 'field_unknown', path: '/dialect' },
    ])
  })
})

test('another dialect gives an entry another meaning, so it needs trust again [C19]', () => {
  const hashes = ['yaaf', 'vscode', 'core-agent'].map((dialect) => {
    const entry = dialect === 'core-agent' ? { transport: 'stdio', command: 'a', args: server.args } : server
    return read({ dialect, servers: { a: entry } })
      .servers.map(entryHash)
      .join()
  })
  expect(new Set(hashes).size).toBe(3)
  expect(hashes).not.toContain('')
})

test('an edit keeps the field and writes in that dialect, also into a file without servers', () => {
  const [hello] = read({ mcpServers: { hello: { command: 'h' } } }).servers
  if (hello === undefined) throw new Error('not read')
  for (const before of ['{ "dialect": "yaaf" }', '{ "dialect": "yaaf", "servers": {} }']) {
    const { text } = editConfig(before, { kind: 'add', server: hello }, { file })
    expect(JSON.parse(text)).toEqual({
      dialect: 'yaaf',
      servers: { hello: { type: 'stdio', command: 'h' } },
    })
  }
})

test('explain shows the field as read', () => {
  const { fields } = explainConfig('{"dialect":"yaaf","servers":{}}', { file })
  expect(fields).toMatchObject([{ server: '', path: '/dialect', outcome: 'kept' }])
})
