import { entryHash, memoryTrustStore, readConfig, reportServers } from '@toolbridge/bridge/config'
import type { MergeSource, ReportOptions, ServerReport } from '@toolbridge/bridge/config'
import { basename, dirname } from 'node:path'
import { canary } from '@toolbridge/testkit/secrets'
import { describe, expect, test } from 'vitest'

const program = process.execPath
const env = { PATH: '/nowhere', HOME: '/home/ada' }

function source(file: string, content: object | string, scope: MergeSource['scope'] = 'user'): MergeSource {
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 1)
  return { file, scope, reading: readConfig(text, { file, kind: scope, workspaceFolder: '/code' }) }
}

async function reports(
  sources: readonly MergeSource[],
  options: Partial<ReportOptions> = {},
): Promise<Readonly<Record<string, ServerReport>>> {
  const authority = { kind: 'local', env, workspaceFolder: '/code' } as const
  const found = await reportServers(sources, { authority, ...options })
  return Object.fromEntries(found.map((report) => [report.name, report]))
}

const claude = '/home/ada/.claude.json'
const gemini = '/home/ada/.gemini/settings.json'
const codex = '/home/ada/.codex/config.toml'

describe('facts about what runs, in the words of three hosts', () => {
  test('Claude Code: lists of disabled servers, times, and an environment that the host hands on whole', async () => {
    const found = await reports([
      source(claude, {
        mcpServers: {
          files: { command: program, args: ['a', 'b'], env: { TOKEN: '${FILES_TOKEN}' }, timeout: 5000 },
          web: { type: 'http', url: 'https://a.test/mcp', headers: { Authorization: 'Bearer x' } },
        },
        projects: { '/code': { disabledMcpServers: ['web'] } },
      }),
    ])
    expect(found['files']).toMatchObject({
      state: 'on',
      reasons: [],
      dialect: 'claude-code',
      definition: {
        transport: 'stdio',
        program: { command: program, path: program, isFound: true, argumentCount: 2 },
        environment: {
          inherits: 'safe',
          sets: ['TOKEN'],
          hasFile: false,
          host: { title: 'Claude Code', inherits: 'all' },
        },
        variables: { missing: ['FILES_TOKEN'], missingBecomes: 'keep' },
        timeouts: { startMs: 30_000, callMs: 5000 },
        start: 'eager',
        replace: 'start-first',
      },
    })
    expect(found['web']).toMatchObject({
      state: 'off',
      reasons: [
        {
          code: 'disabled',
          message: 'the list "disabledMcpServers" names it',
          file: claude,
          path: '/projects/~1code/disabledMcpServers',
        },
      ],
      definition: { url: 'https://a.test/mcp', headers: ['Authorization'], maySignIn: true },
    })
  })

  test('Gemini CLI: only enabled servers, tools of both lists, and approval', async () => {
    const found = await reports([
      source(gemini, {
        mcpServers: {
          on: { command: program, includeTools: ['read', 'drop'], excludeTools: ['drop'], trust: true },
          off: { command: program },
        },
        mcp: { allowed: ['on'] },
        tools: { exclude: ['mcp_on_write'] },
      }),
      source('/home/ada/.gemini/extensions/x/gemini-extension.json', {
        name: 'x',
        mcpServers: { extra: { command: program } },
      }),
    ])
    expect(found['on']).toMatchObject({
      state: 'on',
      definition: {
        tools: { allow: ['read', 'drop'], deny: ['drop', 'write'], readOnly: false },
        approval: { default: 'allow' },
        environment: { host: { title: 'Gemini CLI', inherits: 'all but secrets' } },
      },
    })
    for (const name of ['off', 'extra']) {
      expect(found[name]).toMatchObject({
        state: 'off',
        reasons: [{ message: 'the list "allowed" does not name it', file: gemini, path: '/mcp/allowed' }],
      })
    }
  })

  test('Codex: seconds become milliseconds, `enabled` is the field, and a refused entry has its reason', async () => {
    const text = [
      '[mcp_servers.slow]',
      `command = "${program}"`,
      'startup_timeout_sec = 90',
      'tool_timeout_sec = 1.5',
      'env_vars = ["GONE"]',
      '[mcp_servers.off]',
      'command = "a"',
      'enabled = false',
      '[mcp_servers.far]',
      'command = "a"',
      'environment_id = "e"',
    ].join('\n')
    const found = await reports([source(codex, text)])
    expect(found['slow']).toMatchObject({
      state: 'on',
      definition: { timeouts: { startMs: 90_000, callMs: 1500 }, variables: { missing: ['GONE'] } },
    })
    expect(found['slow']?.definition?.environment).not.toHaveProperty('host')
    expect(found['off']).toMatchObject({
      state: 'off',
      reasons: [{ message: 'its field "enabled" disables it', path: '/mcp_servers/off/enabled', line: 8 }],
    })
    expect(found['far']).toMatchObject({
      state: 'refused',
      line: 9,
      reasons: [
        { path: '/mcp_servers/far/environment_id', line: 11, message: expect.stringMatching(/^"env/) },
      ],
    })
    expect(found['far']).not.toHaveProperty('definition')
  })
})

describe('the state of a server', () => {
  const own = '/code/.toolbridge/mcp.json'

  test('an entry of a project is on only when it is trusted', async () => {
    const project = source(own, { mcpServers: { a: { command: program } } }, 'project')
    const trust = memoryTrustStore()
    expect((await reports([project], { trust }))['a']).toMatchObject({
      state: 'untrusted',
      reasons: [{ code: 'untrusted', file: own }],
    })
    const [spec] = project.reading.servers
    if (spec !== undefined) await trust.trust(entryHash(spec), '')
    expect((await reports([project], { trust }))['a']).toMatchObject({ state: 'on' })
  })

  test('files that an untrusted entry names are not looked at', async () => {
    const entries = {
      named: { command: program, envFile: '/gone/.env' },
      found: { command: basename(program) },
      moved: { command: basename(program), env: { PATH: '/elsewhere' } },
    }
    const authority = { kind: 'local', env: { PATH: dirname(program) }, workspaceFolder: '/code' } as const
    const found = await reports([source(own, { mcpServers: entries }, 'project')], { authority })
    const programs = Object.values(found).map(({ state, definition }) => [state, definition?.program])
    expect(programs).toEqual([
      ['untrusted', { command: program, argumentCount: 0 }],
      ['untrusted', { command: basename(program), argumentCount: 0, path: program, isFound: true }],
      ['untrusted', { command: basename(program), argumentCount: 0 }],
    ])
  })

  test.each([
    ['a program that is not found', { command: 'no-such-program' }, 'program_missing'],
    ['a file of variables that is gone', { command: program, envFile: '/gone/.env' }, 'env_file_missing'],
    ['an address that is empty without a variable', { url: '${env:GONE}' }, 'value_invalid'],
  ])('%s fails, and nothing is started to find out', async (_what, entry, code) => {
    const found = await reports([source('mcp.json', { mcpServers: { a: entry } })])
    expect(found['a']).toMatchObject({ state: 'failing', reasons: [{ code }] })
  })

  test('an entry of another file that only disables a server is named', async () => {
    const found = await reports([
      source(codex, '[mcp_servers.a]\nenabled = false\n', 'flag'),
      source('/home/ada/.cursor/mcp.json', { mcpServers: { a: { command: program } } }),
    ])
    expect(found['a']).toMatchObject({
      state: 'off',
      reasons: [{ message: 'the field "enabled" of another entry disables it', file: codex, line: 2 }],
    })
  })

  test('the path of a program that a variable of the user names is not shown', async () => {
    const authority = { kind: 'local', env: { FOLDER: dirname(program) }, workspaceFolder: '/code' } as const
    const entry = { command: `\${env:FOLDER}/${basename(program)}` }
    const found = await reports([source('mcp.json', { mcpServers: { a: entry } })], { authority })
    expect(found['a']).toMatchObject({ state: 'on', definition: { program: { ...entry, isFound: true } } })
    expect(found['a']?.definition?.program).not.toHaveProperty('path')
  })

  test('a program is searched in PATH, and relative to its working directory', async () => {
    const authority = { kind: 'local', env: { PATH: dirname(program) }, workspaceFolder: '/code' } as const
    const entries = {
      searched: { command: basename(program) },
      relative: { command: `./${basename(program)}`, cwd: dirname(program) },
      elsewhere: { command: `./${basename(program)}` },
    }
    const found = await reports([source('mcp.json', { mcpServers: entries })], { authority })
    expect(found['searched']?.definition?.program?.path).toBe(program)
    expect(found['relative']?.definition?.program?.path).toBe(program)
    expect(found['elsewhere']).toMatchObject({ state: 'failing' })
  })

  test('a question is no failure', async () => {
    const entry = { url: '${input:address}', headers: { K: '${secret:KEY}' } }
    const found = await reports([source('mcp.json', { mcpServers: { a: entry } })])
    expect(found['a']).toMatchObject({
      state: 'on',
      definition: { variables: { inputs: ['address'], secrets: ['KEY'], missing: [] } },
    })
  })

  test('definitions that are not used are named with what they restricted', async () => {
    const found = await reports([
      source('/home/ada/.cursor/mcp.json', { mcpServers: { a: { command: program, disabled: true } } }),
      source(own, { mcpServers: { a: { command: program } } }, 'flag'),
    ])
    expect(found['a']).toMatchObject({
      state: 'on',
      file: own,
      shadowed: [{ scope: 'user', lostRestrictions: ['enabled'] }],
    })
  })

  test('a refused entry stays refused where another file defines the server too', async () => {
    const found = await reports([
      source('/home/ada/.cursor/mcp.json', { mcpServers: { a: { command: program } } }),
      source(own, { mcpServers: { a: { command: program, toolFilter: [] } } }, 'flag'),
    ])
    expect(found['a']).toMatchObject({ state: 'refused', file: own, shadowed: [{ scope: 'user' }] })
    expect(found['a']?.reasons.map(({ code }) => code)).toEqual(['field_restricts'])
  })

  test('an unknown key at the top that may restrict is the reason of every server', async () => {
    const content = { mcpServers: { a: { command: program }, b: { command: program } }, denyTools: ['x'] }
    const found = await reports([source('/code/.mcp.json', content)])
    for (const name of ['a', 'b'])
      expect(found[name]).toMatchObject({ state: 'refused', reasons: [{ path: '/denyTools' }] })
  })

  test('a name that is defined twice in YAML is refused at its last definition', async () => {
    const text = 'extensions:\n  a: { type: stdio, cmd: a }\n  a: { type: stdio, cmd: b }\n'
    expect((await reports([source('/home/ada/.config/goose/config.yaml', text)]))['a']).toMatchObject({
      state: 'refused',
      line: 3,
      reasons: [{ code: 'server_duplicate' }],
    })
  })
})

test('[S2-48] for a session neither the environment nor the files of this machine are looked at', async () => {
  const entries = { plain: { command: 'a-program' }, reads: { command: program, env: { K: '${env:HOME}' } } }
  const stored = source('stored settings', { mcpServers: entries }, 'context')
  const found = await reports([stored], { authority: { kind: 'session' } })
  expect(found['plain']).toMatchObject({ state: 'on', definition: { program: { command: 'a-program' } } })
  expect(found['plain']?.definition?.program).not.toHaveProperty('isFound')
  expect(found['reads']).toMatchObject({ state: 'failing', reasons: [{ code: 'not_for_session' }] })
})

describe('no value that may be a secret is in a report', () => {
  const secret = canary('report')
  const everywhere = {
    program: { command: `\${env:SECRET}/run`, args: [secret, `--key=${secret}`], env: { K: secret } },
    fallback: { command: `\${env:GONE:-${secret}}`, cwd: `\${env:SECRET}` },
    url: {
      url: `https://u:${secret}@a.test/s/${secret}/mcp?key=${secret}#${secret}`,
      headers: { K: secret },
    },
    address: { url: `https://\${env:SECRET}/mcp`, auth: { clientSecret: secret } },
    broken: { command: program, env: { K: `\${env:${secret}` } },
    refused: { command: program, toolFilter: [secret] },
  }

  test('of variables, arguments, headers, addresses and refused fields', async () => {
    const authority = { kind: 'local', env: { ...env, SECRET: secret }, workspaceFolder: '/code' } as const
    const found = await reports([source('/code/mcp.json', { mcpServers: everywhere }, 'flag')], { authority })
    expect(Object.keys(found)).toHaveLength(Object.keys(everywhere).length)
    expect(JSON.stringify(found)).not.toContain(secret)
    expect(found['url']?.definition?.url).toBe('https://a.test/s/…/mcp?…')
    expect(found['address']?.definition?.url).toBe('https://${env:SECRET}/mcp')
    expect(found['fallback']?.definition?.program?.command).toBe('${env:GONE}')
  })
})
