import { ConfigError } from '@toolbridge/bridge'
import { editConfig, readConfig, type ServerSpec, writtenDialects } from '@toolbridge/bridge/config'
import { describe, expect, test } from 'vitest'
import { countCalls } from '../count-calls.ts'
import { corpusFiles } from './dialects/corpus.ts'

const server: ServerSpec = {
  name: 'brand-new',
  enabled: true,
  required: false,
  source: { file: 'code', pointer: '' },
  transport: 'stdio',
  command: 'npx',
  args: ['-y', 'some-server', '# no comment', '"quoted"'],
  env: { KEY: 'value: with colon' },
}

const withoutSource = ({ source: _source, ...spec }: ServerSpec): object => spec

const readable = corpusFiles()
  .map((file) => ({ ...file, reading: readConfig(file.text, file.options) }))
  .filter(({ reading }) => reading.dialect !== '')

/** What the servers of a text are, but for one. */
function others(text: string, options: Parameters<typeof readConfig>[1], name: string): object {
  const { servers } = readConfig(text, options)
  return new Map(servers.filter((spec) => spec.name !== name).map((spec) => [spec.name, withoutSource(spec)]))
}

/** Files of the corpus that refuse a new server: it would be off, would be another one's, or cannot be expressed. */
const refusesNewServers = new Set([
  'claude-code/managed-by-command.json',
  'claude-code/managed.json',
  'claude-code/narrowing-root.json',
  'gemini-cli/allowed-excluded.json',
  'llm-sdk/single.json',
  'shapes/map-is-text.json',
  'shapes/narrowing-root.json',
])

/** What an edit makes, or undefined when it is refused. */
function attempt<T>(edit: () => T): T | undefined {
  try {
    return edit()
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return undefined
  }
}

const commentsIn = (text: string): readonly string[] => text.match(/(?:^|\s)(?:\/\/|#) .*/g) ?? []

describe('in every file of the corpus', () => {
  const written = readable.filter(({ reading }) => writtenDialects().includes(reading.dialect))

  test.each(written.map((file) => [file.name, file] as const))(
    '%s: a server is added, and is all that is new',
    (name, { text, options, reading }) => {
      const add = (): { readonly text: string } => editConfig(text, { kind: 'add', server }, options)
      if (refusesNewServers.has(name)) return expect(add).toThrow(ConfigError)
      const added = add()
      const found = readConfig(added.text, options).servers.find(({ name }) => name === server.name)
      expect(found).toMatchObject({ command: server.command, args: server.args, env: server.env })
      expect(others(added.text, options, server.name)).toEqual(others(text, options, server.name))
      for (const comment of commentsIn(text)) expect(added.text).toContain(comment)
      if (reading.servers.length > 0)
        expect(editConfig(added.text, { kind: 'remove', name: server.name }, options).text).toBe(text)
    },
  )

  const single = readable.flatMap((file) =>
    file.reading.servers
      .slice(0, process.env['TOOLBRIDGE_LONG'] === undefined ? 1 : undefined)
      .map((spec) => [`${file.name} ${spec.name}`, file, spec] as const),
  )

  test.each(single)('%s: it is removed, and nothing else', (title, { text, options }, { name }) => {
    const removed = attempt(() => editConfig(text, { kind: 'remove', name }, options))
    if (removed === undefined) return expect(title).toMatch(/anchors|single|duplicate-keys/)
    expect(others(removed.text, options, name)).toEqual(others(text, options, name))
  })

  test.each(single)('%s: it is turned off and on again, or the file is left alone', (_name, file, spec) => {
    const { text, options } = file
    const turn = (current: string, kind: 'enable' | 'disable'): string | undefined =>
      attempt(() => editConfig(current, { kind, name: spec.name }, options).text)
    const [first, second] = spec.enabled ? (['disable', 'enable'] as const) : (['enable', 'disable'] as const)
    const once = turn(text, first)
    if (once === undefined) return
    const isOn = (current: string): boolean | undefined =>
      readConfig(current, options).servers.find(({ name }) => name === spec.name)?.enabled
    expect(isOn(once)).toBe(!spec.enabled)
    const back = turn(once, second)
    if (back !== undefined) expect(isOn(back)).toBe(spec.enabled)
    const hasSwitch = /excluded|disabledMcpServers/.test(once) || /\b(?:dis|en)abled\b/.test(text)
    if (spec.enabled && !hasSwitch) expect(back).toBe(text)
  })
})

describe('a field', () => {
  const options = { file: '/p/.codex/config.toml' }
  const text = '# mine\n[mcp_servers.files] # here\ncommand = "run"\n\n[mcp_servers.files.env]\nA = "b"\n'

  test('is set and taken out under the name it has in that file', () => {
    const edit = (current: string, value?: number): string =>
      editConfig(
        current,
        {
          kind: 'set',
          name: 'files',
          field: ['tool_timeout_sec'],
          ...(value === undefined ? {} : { value }),
        },
        options,
      ).text
    const set = edit(text, 30)
    expect(set).toBe(text.replace('"run"\n', '"run"\ntool_timeout_sec = 30\n'))
    expect(readConfig(set, options).servers[0]).toMatchObject({ timeouts: { callMs: 30_000 } })
    expect(edit(set)).toBe(text)
  })

  test('that would break its server is refused', () => {
    const change = { kind: 'set', name: 'files', field: ['command'], value: 7 } as const
    expect(() => editConfig(text, change, options)).toThrow(/"command" must be/)
  })
})

describe('refused, with the text left alone', () => {
  const file = '/p/.toolbridge/mcp.json'
  const text = '{ "mcpServers": { "a": { "command": "run" } } }'
  const codeOf = (run: () => unknown): string | undefined => {
    try {
      run()
      return undefined
    } catch (error) {
      return error instanceof ConfigError ? error.issues[0]?.code : String(error)
    }
  }

  test.each([
    ['a text that breaks off', '{ "mcpServers": {', 'syntax'],
    ['two keys with servers', '{ "mcpServers": {}, "servers": {} }', 'root_ambiguous'],
    ['no object', '[]', 'root_invalid'],
  ])('%s', (_what, broken, code) => {
    expect(codeOf(() => editConfig(broken, { kind: 'add', server }, { file }))).toBe(code)
  })

  test('a name that is taken, one that is not there, and one that is there twice', () => {
    const serverExists = { ...server, name: 'a' }
    expect(codeOf(() => editConfig(text, { kind: 'add', server: serverExists }, { file }))).toBe(
      'server_exists',
    )
    expect(codeOf(() => editConfig(text, { kind: 'remove', name: 'b' }, { file }))).toBe('server_unknown')
    const twice = '{ "mcpServers": { "a": { "command": "run" }, "a": { "command": "run" } } }'
    for (const kind of ['remove', 'disable', 'set'] as const)
      expect(codeOf(() => editConfig(twice, { kind, name: 'a', field: ['cwd'], value: '/' }, { file }))).toBe(
        'server_unknown',
      )
    expect(codeOf(() => editConfig(twice, { kind: 'add', server: serverExists }, { file }))).toBe(
      'server_exists',
    )
    const replaced = editConfig(twice, { kind: 'replace', server: serverExists }, { file }).text
    expect(readConfig(replaced, { file }).servers).toMatchObject([{ name: 'a', args: server.args }])
  })

  test('a server that would be allowed more than it should', () => {
    const narrow: ServerSpec = { ...server, tools: { deny: ['delete*'] } }
    const cursor = { file: '/p/.cursor/mcp.json' }
    expect(codeOf(() => editConfig(text, { kind: 'add', server: narrow }, cursor))).toBe('edit_refused')
  })

  test('an entry that shares its text with another one', () => {
    const yaml = 'metadata:\n  mcp:\n    a: &a\n      command: run\n    b: *a\n'
    const options = { file: 'x.yaml' }
    expect(codeOf(() => editConfig(yaml, { kind: 'remove', name: 'a' }, options))).toBe('edit_refused')
    const change = { kind: 'set', name: 'b', field: ['command'], value: 'other' } as const
    expect(codeOf(() => editConfig(yaml, change, options))).toBe('edit_refused')
    expect(editConfig(yaml, { kind: 'remove', name: 'b' }, options).text).toBe(
      yaml.replace('    b: *a\n', ''),
    )
  })

  test('a switch that the host does not have', () => {
    for (const claude of [{ file: '/p/.mcp.json' }, { file: '/p/.mcp.json', workspaceFolder: '/p' }])
      expect(codeOf(() => editConfig(text, { kind: 'disable', name: 'a' }, claude))).toBe('edit_refused')
  })
})

test('a file that is not there yet is written in the dialect of its location', () => {
  expect(editConfig('', { kind: 'add', server }, { file: '/p/.vscode/mcp.json' }).text).toContain('"servers"')
  expect(editConfig('', { kind: 'add', server }, { file: '/p/.codex/config.toml' }).text).toContain(
    '[mcp_servers.brand-new]',
  )
  expect(editConfig('{}\n', { kind: 'add', server }, { file: '/p/x.json' }).text).toContain('"mcpServers"')
})

test.each(['x.toml', 'X.TOML', 'x.yaml', 'x.json', 'x'])('a new file %s can be read', (file) => {
  const { text } = editConfig('', { kind: 'add', server }, { file })
  expect(readConfig(text, { file }).servers).toMatchObject([{ name: server.name, args: server.args }])
  expect(editConfig(text, { kind: 'add', server: { ...server, name: 'other' } }, { file }).text).toContain(
    'other',
  )
})

test('a replaced server is what it was replaced by', () => {
  const text =
    '{\n  "mcpServers": {\n    // old\n    "brand-new": { "url": "https://a.test" } // beside\n  }\n}\n'
  const options = { file: '/p/.toolbridge/mcp.json' }
  const { text: changed } = editConfig(text, { kind: 'replace', server }, options)
  expect(changed).toContain('// old\n')
  expect(changed).toContain('} // beside\n')
  expect(readConfig(changed, options).servers).toMatchObject([{ transport: 'stdio', command: 'npx' }])
})

test('a change takes twice the work among twice as many servers', () => {
  const options = { file: '/p/.toolbridge/mcp.json' }
  const addTo = (count: number): void => {
    const entries = Array.from({ length: count }, (_each, index) => [
      `s${index}`,
      { command: 'run', args: [String(index)] },
    ])
    const text = JSON.stringify({ mcpServers: Object.fromEntries(entries) }, undefined, 2)
    const added = editConfig(text, { kind: 'add', server }, options).text
    expect(added.length - text.length).toBeLessThan(500)
  }
  addTo(1)
  const [some, twice] = countCalls(
    () => addTo(200),
    () => addTo(400),
  )
  expect(twice).toBeLessThan(some * 2.1)
})
