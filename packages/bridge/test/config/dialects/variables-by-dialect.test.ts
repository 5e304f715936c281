import { ConfigError } from '@toolbridge/bridge'
import {
  type Authority,
  type InputRequest,
  type ResolveOptions,
  readConfig,
  resolveSpec,
  type ServerSpec,
  writeConfig,
} from '@toolbridge/bridge/config'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  readVariables,
  variableSyntaxes,
  writeVariables,
} from '../../../src/config/variables/variable-syntaxes.ts'
import { type Piece, parseVariables, printVariables } from '../../../src/config/variables/variables.ts'

const authority: Authority = {
  kind: 'local',
  env: { KEY: 'secret', HOME: '/home/ada', EMPTY: '' },
  workspaceFolder: '/code',
}

function only(text: string, dialect: string, file: string = '/project/file.json'): ServerSpec {
  const [spec] = readConfig(text, { file, dialect }).servers
  if (spec === undefined) throw new Error('expected a server')
  return spec
}

/** What becomes of one argument in a dialect of the usual shape. */
async function argument(
  dialect: string,
  text: string,
  options?: ResolveOptions,
): Promise<string | undefined> {
  const spec = only(documentOf(dialect, text), dialect)
  const { spec: resolved } = await resolveSpec(spec, authority, options)
  return resolved.transport === 'stdio' ? resolved.args[0] : undefined
}

function documentOf(dialect: string, text: string): string {
  const args = JSON.stringify([text])
  switch (dialect) {
    case 'agent-apps':
      return `{ "metadata": { "mcp": { "a": { "command": "a", "args": ${args} } } } }`
    case 'opencode':
      return `{ "mcp": { "a": { "type": "local", "command": ["a", ${JSON.stringify(text)}] } } }`
    case 'vscode':
    case 'yaaf':
      return `{ "servers": { "a": { "type": "stdio", "command": "a", "args": ${args} } } }`
    default:
      return `{ "mcpServers": { "a": { "command": "a", "args": ${args} } } }`
  }
}

describe('the same variable in the words of each host', () => {
  test.each([
    ['mcp-servers', '${env:NOT}', '${env:NOT}', 'set NOT, or give it a default: ${env:NOT:-…}'],
    ['claude-code', '${NOT}', '${NOT}', 'set NOT, or give it a default: ${NOT:-…}'],
    ['cursor', '${env:NOT}', '${env:NOT}', 'set NOT'],
    ['gemini-cli', '${NOT}', '${NOT}', 'set NOT, or give it a default: ${NOT:-…}'],
    ['opencode', '{env:NOT}', '{env:NOT}', 'set NOT'],
  ])('%s: what is not set is named as it is written there, and so is a way out', async (...row) => {
    const [dialect, text, shown, fix] = row
    const { issues } = await resolveSpec(only(documentOf(dialect, text), dialect), authority)
    expect(issues).toMatchObject([{ message: `server "a": args/0 uses ${shown}, which is not set`, fix }])
  })

  test.each([
    ['claude-code', '${KEY}', 'secret'],
    ['claude-code', '${NOT:-d}', 'd'],
    ['claude-code', '$KEY', '$KEY'],
    ['claude-code', '${env:KEY}', '${env:KEY}'],
    ['cursor', '${env:KEY}', 'secret'],
    ['cursor', '${userHome}${/}x', '/home/ada/x'],
    ['cursor', '${workspaceFolderBasename}', 'code'],
    ['cursor', '${KEY}', '${KEY}'],
    ['vscode', '${env:KEY}', 'secret'],
    ['windsurf', '${env:KEY}', 'secret'],
    ['gemini-cli', '$KEY and ${KEY}', 'secret and secret'],
    ['opencode', '{env:KEY}', 'secret'],
    ['opencode', '${KEY}', '${KEY}'],
    ['mcporter', '$env:KEY ${KEY} ${NOT:-d}', 'secret secret d'],
    ['mcporter', '${env:KEY}', 'secret'],
    ['lucky', '${KEY}', 'secret'],
    ['yaaf', '${env:KEY} ${workspaceFolder}', 'secret /code'],
    ['claude-desktop', '${KEY}', '${KEY}'],
    ['cline', '${env:KEY}', '${env:KEY}'],
    ['mcp-servers', '${env:KEY} $${env:KEY}', 'secret ${env:KEY}'],
  ])('%s: %s [D11]', async (dialect, text, expected) => {
    expect(await argument(dialect, text)).toBe(expected)
  })
})

describe('a variable that is not set', () => {
  test.each([
    ['claude-code', 'x ${NOT}', 'x ${NOT}'],
    ['lucky', 'x ${NOT}', 'x ${NOT}'],
    ['cursor', 'x ${env:NOT}', 'x '],
    ['yaaf', 'x ${env:NOT}', 'x '],
    ['windsurf', 'x ${env:NOT}', 'x '],
    ['gemini-cli', 'x ${NOT}', 'x ${NOT}'],
    ['opencode', 'x {env:NOT}', 'x '],
  ])(
    'of %s becomes what that host makes of it, with a warning [D14] [S3-17]',
    async (dialect, text, expected) => {
      const { spec, issues } = await resolveSpec(only(documentOf(dialect, text), dialect), authority)
      expect(spec).toMatchObject({ args: [expected] })
      expect(issues).toMatchObject([{ code: 'variable_unset', severity: 'warning' }])
    },
  )

  test('of mcporter keeps the server from starting', async () => {
    await expect(argument('mcporter', '${NOT}')).rejects.toThrow('which is not set')
  })

  test('of Agent Apps takes its field along', async () => {
    const text = `{ "metadata": { "mcp": { "a": { "command": "a", "args": ["x", "\${gone}"],
      "env": { "GONE": "\\\\\${NOT}", "KEY": "\\\\\${KEY}" } } } } }`
    const { spec } = await resolveSpec(only(text, 'agent-apps'), authority)
    expect(spec).toMatchObject({ args: ['x'], env: { KEY: 'secret' } })
    expect(spec.transport === 'stdio' && Object.keys(spec.env)).toEqual(['KEY'])
  })
})

test('Agent Apps reads paths from the calling context and never from the environment [D11] [S0-9]', async () => {
  const context = { user: { login: 'ada', age: 36, more: {} } }
  expect(await argument('agent-apps', '${user.login}-${user.age}', { context })).toBe('ada-36')
  expect(await argument('agent-apps', '\\${KEY}', { context })).toBe('${KEY}')
  expect(await argument('agent-apps', '${KEY}', { context })).toBeUndefined()
  expect(await argument('agent-apps', '${user.constructor.name}', { context })).toBeUndefined()
})

describe('${input:…}', () => {
  const text = `{ "inputs": [
      { "id": "key", "type": "promptString", "description": "The key", "password": true },
      { "id": "region", "type": "pickString", "options": ["eu", "us"], "default": "eu" } ],
    "servers": { "a": { "type": "stdio", "command": "a", "args": ["\${input:key}", "\${input:region}"] } } }`

  test('is asked for with all that the file says about it, and its answer is never looked into', async () => {
    const asked: InputRequest[] = []
    const inputs = {
      answer: async (request: InputRequest): Promise<string | undefined> => {
        asked.push(request)
        return request.id === 'key' ? '${env:KEY}' : undefined
      },
    }
    const { spec } = await resolveSpec(only(text, 'vscode'), authority, { inputs })
    expect(spec).toMatchObject({ args: ['${env:KEY}', 'eu'] })
    const to = (field: string): object => ({
      destination: { target: expect.stringMatching(/^command /), fields: [field] },
    })
    expect(asked).toEqual([
      { server: 'a', kind: 'input', id: 'key', description: 'The key', isSecret: true, ...to('/args/0') },
      { server: 'a', kind: 'input', id: 'region', options: ['eu', 'us'], default: 'eu', ...to('/args/1') },
    ])
  })

  test('is carried by the servers that use it, and by no other', () => {
    const both = `{ "inputs": [{ "id": "id" }, { "id": "key" }], "servers": {
      "uses": { "command": "a", "args": ["\${input:key}"] }, "does-not": { "command": "b", "args": ["key"] } } }`
    const { servers } = readConfig(both, { file: '/code/.vscode/mcp.json' })
    expect(servers.map(({ inputs }) => inputs)).toEqual([[{ id: 'key' }], undefined])
  })

  test('without anybody to ask keeps the server from starting', async () => {
    await expect(resolveSpec(only(text, 'vscode'), authority)).rejects.toThrow(
      'uses ${input:key}, which has no value',
    )
  })

  test('is open to the user of a platform, who answers for themselves', async () => {
    const inputs = { answer: async (): Promise<string> => 'mine' }
    const { spec } = await resolveSpec(only(text, 'vscode'), { kind: 'session' }, { inputs })
    expect(spec).toMatchObject({ args: ['mine', 'mine'] })
  })

  test('gives up when the start is cancelled', async () => {
    const abort = new AbortController()
    const inputs = {
      answer: (_request: InputRequest, { signal }: { readonly signal?: AbortSignal }): Promise<string> =>
        new Promise((_resolve, reject) =>
          signal?.addEventListener('abort', () => reject(signal.reason as Error)),
        ),
    }
    const resolving = resolveSpec(only(text, 'vscode'), authority, { inputs, signal: abort.signal })
    abort.abort(new Error('enough'))
    await expect(resolving).rejects.toThrow('enough')
  })
})

test('a secret of Continue comes from the store first, and from the environment of a person', async () => {
  const text = '{ "mcpServers": [{ "name": "a", "command": "a", "args": ["${{ secrets.KEY }}"] }] }'
  const spec = only(text, 'continue')
  expect((await resolveSpec(spec, authority)).spec).toMatchObject({ args: ['secret'] })
  const inputs = { answer: async (): Promise<string> => 'stored' }
  expect((await resolveSpec(spec, authority, { inputs })).spec).toMatchObject({ args: ['stored'] })
  expect((await resolveSpec(spec, { kind: 'session' }, { inputs })).spec).toMatchObject({ args: ['stored'] })
  await expect(resolveSpec(spec, { kind: 'session' })).rejects.toThrow(ConfigError)
})

const piece: fc.Arbitrary<Piece> = fc.oneof(
  fc
    .string({ unit: fc.constantFrom('$', '{', '}', '\\', 'env:', 'A', '%', ':-', ' ') })
    .map((text) => ({ kind: 'text' as const, text })),
  fc.constantFrom('A', 'NAME', 'x_1').map((name) => ({ kind: 'env' as const, name })),
  fc.constantFrom('', 'd', 'a b').map((fallback) => ({ kind: 'env' as const, name: 'A', fallback })),
  fc.constantFrom('id', 'my-id').map((name) => ({ kind: 'input' as const, name })),
  fc.constant({ kind: 'predefined' as const, name: 'workspaceFolder' as const }),
  fc.constant({ kind: 'context' as const, name: 'a.b' }),
  fc.constant({ kind: 'file' as const, name: '/run/x' }),
)

/** As a reader would have it: texts side by side are one, and none is empty. */
function merged(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.reduce<readonly Piece[]>((before, next) => {
    const last = before.at(-1)
    if (next.kind !== 'text') return [...before, next]
    if (next.text === '') return before
    if (last?.kind !== 'text') return [...before, next]
    return [...before.slice(0, -1), { kind: 'text', text: last.text + next.text }]
  }, [])
}

const pieces = fc.array(piece, { maxLength: 5 }).map(merged)

test('what is printed in the canonical syntax is read back as it was', () => {
  fc.assert(
    fc.property(pieces, (written) => {
      const usable = written.filter(
        (each): each is Parameters<typeof printVariables>[0][number] => each.kind !== 'unknown',
      )
      expect(merged(parseVariables(printVariables(usable)))).toEqual(usable)
    }),
    {
      examples: [
        [
          [
            { kind: 'text', text: '$$' },
            { kind: 'env', name: 'A' },
          ],
        ],
      ],
    },
  )
})

test.each(Object.entries(variableSyntaxes))(
  'what is written in the syntax %s is read back as it was, or is refused',
  (_name, syntax) => {
    fc.assert(
      fc.property(pieces, (written) => {
        const text = writeVariables(written, syntax)
        if (typeof text === 'string') expect(readVariables(text, syntax)).toEqual(written)
      }),
    )
  },
)

test.each([
  ['core-agent', '/app/.agents/mcp.json', '"transport": "stdio",', '${env:my-var}'],
  ['core-agent', '/app/.agents/mcp.json', '"transport": "stdio",', '${env:KEY:-none}'],
  ['vscode', '/app/.vscode/mcp.json', '', '${env:KEY:-none}'],
  ['cursor', '/app/.cursor/mcp.json', '', '${env:KEY:-none}'],
])(
  'a variable that %s does not know stays text in %s, is told, and is written as it was [C16]',
  (dialect, file, type, value) => {
    const key = dialect === 'cursor' ? 'mcpServers' : 'servers'
    const text = `{ "${key}": { "a": { ${type} "command": "a", "env": { "A": "${value}" } } } }`
    const { servers, issues } = readConfig(text, { file })
    expect(servers).toMatchObject([{ env: { A: `$${value}` } }])
    expect(issues).toMatchObject([{ code: 'variable_literal', path: `/${key}/a/env/A` }])
    const written = writeConfig(servers, { dialect })
    expect(written.unwritableFields).toEqual([])
    expect(written.text).toContain(value)
  },
)

test.each([
  ['C:\\Users\\ada', 'C:/Users/ada/docs'],
  ['\\\\server\\share', '//server/share/docs'],
  ['/home/a\\b', '/home/a\\b/docs'],
])('the workspace of yaaf is written with slashes: %s [S3-16]', async (workspaceFolder, expected) => {
  const text =
    '{ "servers": { "a": { "type": "stdio", "command": "a", "args": ["${workspaceFolder}/docs"] } } }'
  const [spec] = readConfig(text, { file: '.yaaf/mcp.json' }).servers
  if (spec === undefined) throw new Error('there is no server')
  const { spec: resolved } = await resolveSpec(spec, { kind: 'local', env: {}, workspaceFolder })
  expect(resolved).toMatchObject({ args: [expected] })
})

test.each([
  [
    '/app/opencode.json',
    '{ "mcp": { "a": { "type": "local", "command": ["a"], "environment": { "K": "{env:NOT}" } } } }',
    '/mcp/a/environment/K',
  ],
  [
    '/app/.codex/config.toml',
    '[mcp_servers.a]\ncommand = "a"\nenv_vars = ["NOT"]',
    '/mcp_servers/a/env_vars/0',
  ],
  [
    '/app/.cursor/mcp.json',
    '{ "mcpServers": { "a": { "command": "a", "env": { "K": "${env:NOT}" } } } }',
    '/mcpServers/a/env/K',
  ],
])('what is missing at the start is told by the path that the field has in %s', async (file, text, path) => {
  const [spec] = readConfig(text, { file }).servers
  if (spec === undefined) throw new Error('there is no server')
  const { issues } = await resolveSpec(spec, { kind: 'local', env: {}, workspaceFolder: '/app' })
  expect(issues).toMatchObject([{ code: 'variable_unset', file, path }])
})
