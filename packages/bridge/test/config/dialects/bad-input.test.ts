import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError } from '@toolbridge/bridge'
import { type Issue, readConfig, resolveSpec } from '@toolbridge/bridge/config'
import { describe, expect, test } from 'vitest'
import { countCalls } from '../../count-calls.ts'

const file = '/project/mcp.json'

interface BadInput {
  readonly title: string
  readonly text: string
  readonly file?: string
  readonly dialect?: string
  readonly issue: Issue
  /** The servers that are used in spite of it. */
  readonly good: readonly string[]
}

const badInputs: readonly BadInput[] = [
  {
    title: 'two keys with servers',
    text: '{\n  "mcpServers": { "a": { "command": "a" } },\n  "servers": { "b": { "command": "b" } }\n}',
    issue: {
      code: 'root_ambiguous',
      severity: 'error',
      file,
      path: '/servers',
      line: 3,
      column: 14,
      message: 'the document has both "mcpServers" and "servers"',
      found: 'two keys with servers',
      expected: 'one key with servers',
      fix: 'keep one of them, with all servers in it',
    },
    good: [],
  },
  {
    title: 'an address with a command',
    text: '{ "mcpServers": {\n  "a": { "command": "a", "url": "https://a.test" },\n  "b": { "command": "b" } } }',
    issue: {
      code: 'url_and_command',
      severity: 'error',
      file,
      path: '/mcpServers/a/url',
      line: 2,
      column: 33,
      message: 'server "a": it has both a URL and a command',
      found: 'both',
      expected: 'one of the two',
      fix: 'keep "url" for a remote server, or "command" for a local program',
    },
    good: ['b'],
  },
  {
    title: 'an unknown type',
    text: '{ "mcpServers": {\n  "a": { "command": "a", "type": "carrier-pigeon" },\n  "b": { "command": "b" } } }',
    issue: {
      code: 'transport_unknown',
      severity: 'error',
      file,
      path: '/mcpServers/a/type',
      line: 2,
      column: 34,
      message: 'server "a": "type" names an unknown transport',
      found: 'a different word',
      expected: 'one of stdio, http, sse, ws',
      fix: 'use "stdio" or "http" or "sse" or "ws"',
    },
    good: ['b'],
  },
  {
    title: 'a field about security that is not understood',
    text: '{ "mcpServers": {\n  "a": { "command": "a", "toolAllowlist": ["read"] },\n  "b": { "command": "b" } } }',
    issue: {
      code: 'field_restricts',
      severity: 'error',
      file,
      path: '/mcpServers/a/toolAllowlist',
      line: 2,
      column: 43,
      message:
        'server "a": "toolAllowlist" is unknown and may restrict the server, so the server is not used',
      found: 'an unknown field that may restrict access',
      expected: 'only known fields',
      fix: 'remove "toolAllowlist", and use a permission rule or "disabled": true instead',
    },
    good: ['b'],
  },
  {
    title: 'a variable that is its own default',
    text: '{ "mcpServers": {\n  "a": { "command": "a", "args": ["${env:A:-${env:A}}"] },\n  "b": { "command": "b" } } }',
    issue: {
      code: 'variable_cyclic',
      severity: 'error',
      file,
      path: '/mcpServers/a/args/0',
      line: 2,
      column: 35,
      message: 'server "a": the default of the variable A is the variable itself',
      found: 'a variable that refers to itself',
      expected: 'a default of plain text',
      fix: 'write the default as plain text',
    },
    good: ['b'],
  },
  {
    title: 'an unterminated variable',
    text: '{ "mcpServers": {\n  "a": { "command": "a", "args": ["${env:A"] },\n  "b": { "command": "b" } } }',
    issue: {
      code: 'variable_unterminated',
      severity: 'error',
      file,
      path: '/mcpServers/a/args/0',
      line: 2,
      column: 35,
      message: 'server "a": unterminated variable: ${ without }',
      found: 'an unterminated variable',
      expected: 'a closing }',
      fix: 'close it with }',
    },
    good: ['b'],
  },
  {
    title: 'a byte order mark, Windows line ends and tabs before a mistake',
    text: '\uFEFF{\r\n\t"mcpServers": {\r\n\t\t"b": { "command": "b" },\r\n\t\t"a": { "command": 7 }\r\n\t}\r\n}\r\n',
    issue: {
      code: 'field_invalid',
      severity: 'error',
      file,
      path: '/mcpServers/a/command',
      line: 4,
      column: 21,
      message: 'server "a": "command" must be a non-empty string, but is a number',
      found: 'a number',
      expected: 'a non-empty string',
      fix: 'correct the value',
    },
    good: ['b'],
  },
  {
    title: 'tabs in YAML',
    file: '/project/skill.yaml',
    text: 'metadata:\n\tmcp:\n\t\ta:\n\t\t\tcommand: a\n',
    issue: {
      code: 'syntax',
      severity: 'error',
      file: '/project/skill.yaml',
      path: '',
      line: 2,
      column: 1,
      message: 'not valid YAML at line 2, column 1: expected spaces instead of tabs',
      fix: 'correct the text there; indent with spaces',
    },
    good: [],
  },
  {
    title: 'a key that stands twice in an entry',
    text: '{ "mcpServers": {\n  "a": { "command": "a", "command": "z" },\n  "b": { "command": "b" } } }',
    issue: {
      code: 'field_duplicate',
      severity: 'error',
      file,
      path: '/mcpServers/a/command',
      line: 2,
      column: 37,
      message: 'server "a": "command" is set twice',
      found: 'the same key twice',
      expected: 'each key once',
      fix: 'remove one of them',
    },
    good: ['b'],
  },
  {
    title: 'a server that stands twice',
    text: '{ "mcpServers": {\n  "a": { "command": "a" },\n  "a": { "command": "z" },\n  "b": { "command": "b" } } }',
    issue: {
      code: 'server_duplicate',
      severity: 'warning',
      file,
      path: '/mcpServers/a',
      line: 3,
      column: 8,
      message: 'server "a" is defined more than once, on lines 2 and 3; the last definition is used',
      found: 'the same name again',
      expected: 'each name once',
      fix: 'rename or remove the others',
    },
    good: ['a', 'b'],
  },
  {
    title: 'a server that stands twice in YAML',
    file: '/home/ada/.config/goose/config.yaml',
    text: 'extensions:\n  a: { type: stdio, cmd: a }\n  a: { type: stdio, cmd: z }\n  b: { type: stdio, cmd: b }\n',
    issue: {
      code: 'server_duplicate',
      severity: 'error',
      file: '/home/ada/.config/goose/config.yaml',
      path: '/extensions/a',
      line: 3,
      column: 6,
      message: 'server "a" is defined more than once, on lines 2 and 3, so none of the definitions is used',
      found: 'the same name again',
      expected: 'each name once',
      fix: 'rename or remove the others',
    },
    good: ['b'],
  },
  {
    title: 'a table of TOML that stands twice',
    file: '/home/ada/.codex/config.toml',
    text: '[mcp_servers.a]\ncommand = "a"\n\n[mcp_servers.a]\ncommand = "b"\n',
    issue: {
      code: 'syntax',
      severity: 'error',
      file: '/home/ada/.codex/config.toml',
      path: '',
      line: 4,
      column: 14,
      message: 'not valid TOML at line 4, column 14: defining a key multiple times is invalid',
      fix: 'correct the text there',
    },
    good: [],
  },
  {
    title: 'a time in a unit that nobody knows',
    text: '{ "mcpServers": { "a": { "command": "a", "timeout": 60 } } }',
    issue: {
      code: 'field_dropped',
      severity: 'warning',
      file,
      path: '/mcpServers/a/timeout',
      line: 1,
      column: 53,
      message: 'server "a": "timeout" was ignored: its unit depends on the host that wrote it',
      fix: 'write "timeouts": { "callMs": … }',
    },
    good: ['a'],
  },
]

describe('bad input has one exact diagnostic, and hides nothing that is good', () => {
  test.each(badInputs.map((input) => [input.title, input] as const))('%s', (_title, input) => {
    const reading = readConfig(input.text, {
      file: input.file ?? file,
      ...(input.dialect && { dialect: input.dialect }),
    })
    expect(reading.issues).toEqual([input.issue])
    expect(reading.servers.map(({ name }) => name)).toEqual(input.good)
  })
})

test('a missing envFile keeps its server from starting, and the diagnostic points at the entry [C17]', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'toolbridge-'))
  try {
    const there = join(folder, 'mcp.json')
    const text = '{ "mcpServers": {\n  "a": { "command": "a", "envFile": "not-there.env" } } }'
    await writeFile(there, text)
    const [spec] = readConfig(text, { file: there }).servers
    if (spec === undefined) expect.unreachable()
    const failure = await resolveSpec(spec, { kind: 'local', env: {}, workspaceFolder: folder }).catch(
      (error: unknown) => error,
    )
    expect(failure).toBeInstanceOf(ConfigError)
    expect(failure).toMatchObject({
      issues: [
        {
          code: 'env_file_missing',
          severity: 'error',
          file: there,
          path: '/mcpServers/a/envFile',
          line: 2,
          column: 8,
          message: 'server "a": envFile is a file that cannot be read',
          found: 'no readable file',
          expected: 'a file of NAME=value lines',
          fix: 'create the file, or correct the path, which is relative to the workspace',
        },
      ],
    })
  } finally {
    await rm(folder, { recursive: true })
  }
})

describe('twice as many servers take twice the work', () => {
  const names = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `s${index}`)

  const inJson = (count: number): string => {
    const entry = { command: 'npx', args: ['-y', '${env:A}'], icon: 'x' }
    const mcpServers = Object.fromEntries(names(count).map((name) => [name, entry]))
    return JSON.stringify({ mcpServers }, undefined, 2)
  }

  const inToml = (count: number): string =>
    names(count)
      .map((name) => `[mcp_servers.${name}]\ncommand = "npx"\nargs = ["-y"]\n`)
      .join('\n')

  test.each([
    ['JSON, each with an issue', '/project/mcp.json', inJson],
    ['TOML', '/home/ada/.codex/config.toml', inToml],
  ])('in %s', (_format, path, textOf) => {
    const read = (count: number): void =>
      expect(readConfig(textOf(count), { file: path }).servers).toHaveLength(count)
    read(1)
    const [some, twice] = countCalls(
      () => read(100),
      () => read(200),
    )
    expect(some).toBeGreaterThan(100)
    expect(twice).toBeLessThan(some * 2.1)
  })

  test('and each of a thousand has its issue', () => {
    const { issues } = readConfig(inJson(1_000), { file })
    expect(issues).toHaveLength(1_000)
    expect(issues.at(-1)).toMatchObject({ path: '/mcpServers/s999/icon', code: 'field_unknown' })
  })
})
