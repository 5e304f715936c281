import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { ConfigError } from '@toolbridge/bridge'
import {
  type Authority,
  type Policy,
  resolveSpec,
  type ResolveOptions,
  type StdioServerSpec,
} from '@toolbridge/bridge/config'
import { describe, expect, onTestFinished, test } from 'vitest'

const source = { file: '/project/.host/mcp.json', pointer: '/mcpServers/a' }

function stdio(spec: Partial<StdioServerSpec>): StdioServerSpec {
  return {
    name: 'a',
    enabled: true,
    required: false,
    source,
    transport: 'stdio',
    command: 'a',
    args: [],
    env: {},
    ...spec,
  }
}

function local(env: Readonly<Record<string, string>> = {}, workspaceFolder = '/work'): Authority {
  return { kind: 'local', env, workspaceFolder }
}

/** The environment that a program gets, and what is inherited by the transport. */
async function environment(
  spec: Partial<StdioServerSpec>,
  env: Readonly<Record<string, string>> = {},
  policy: Partial<Policy> = {},
) {
  const { spec: resolved, issues } = await resolveSpec(stdio(spec), local(env), { policy })
  if (resolved.transport !== 'stdio') throw new Error('expected a program')
  return { env: resolved.env, inheritEnv: resolved.inheritEnv, issues }
}

async function issuesOf(spec: Partial<StdioServerSpec>, authority: Authority, options?: ResolveOptions) {
  try {
    return (await resolveSpec(stdio(spec), authority, options)).issues
  } catch (error) {
    if (error instanceof ConfigError) return error.issues
    throw error
  }
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'toolbridge-environment-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

describe('the environment of a program', () => {
  const around = { PATH: '/bin', HOME: '/root', TOKEN: 't', SHELLSHOCK: '() { :; }', LANG: 'C' }

  test('is that of the entry, above what the transport inherits', async () => {
    expect(await environment({ env: { A: '1' } }, around)).toMatchObject({ env: { A: '1' } })
  })

  test('is everything where that is asked for, without exported functions', async () => {
    expect(await environment({ env: { HOME: '/x' }, inheritEnv: 'all' }, around)).toMatchObject({
      env: { PATH: '/bin', HOME: '/x', TOKEN: 't', LANG: 'C' },
      inheritEnv: 'none',
    })
    expect((await environment({ inheritEnv: 'all' }, around)).env).not.toHaveProperty('SHELLSHOCK')
    expect(await environment({}, around, { 'env.inherit': 'all' })).toMatchObject({ inheritEnv: 'none' })
    expect((await environment({ inheritEnv: 'safe' }, around, { 'env.inherit': 'all' })).env).toEqual({})
  })

  test('lacks the variables that are unset, unless the entry sets them', async () => {
    const spec = { unsetEnv: ['HOME', 'LANG'], env: { LANG: 'de' } }
    expect(await environment(spec, around)).toMatchObject({
      env: { PATH: '/bin', LANG: 'de' },
      inheritEnv: 'none',
    })
    expect((await environment(spec, around)).env).not.toHaveProperty('HOME')
    expect((await environment(spec, around)).env).not.toHaveProperty('TOKEN')
    expect((await environment({ ...spec, inheritEnv: 'none' }, around)).env).toEqual({ LANG: 'de' })
  })

  test('has the variables that are inherited by name, below the entry, and tells which are not set', async () => {
    const { env, issues } = await environment(
      { inheritNames: ['TOKEN', 'GONE', 'LANG'], env: { LANG: 'de' } },
      around,
    )
    expect(env).toEqual({ TOKEN: 't', LANG: 'de' })
    expect(issues).toMatchObject([
      {
        code: 'variable_unset',
        severity: 'warning',
        path: '/mcpServers/a/inheritNames/1',
        message: 'server "a": inheritNames/1 inherits GONE, which is not set',
        fix: 'set GONE',
      },
    ])
  })

  test('a field is named in messages as its host writes it', async () => {
    const { issues } = await environment({ inheritNames: ['GONE'], dialect: 'codex' }, around)
    expect(issues.map(({ message }) => message)).toEqual([
      'server "a": env_vars/0 inherits GONE, which is not set',
    ])
  })

  test('appends to PATH where the host does', async () => {
    const append = { 'env.path': 'append' } as const
    const joined = `/bin${delimiter}/opt`
    expect((await environment({ env: { PATH: '/opt' } }, around)).env).toEqual({ PATH: '/opt' })
    expect((await environment({ env: { PATH: '/opt' } }, around, append)).env).toMatchObject({ PATH: joined })
    expect((await environment({ env: { Path: '/opt' } }, around, append)).env).toMatchObject({ Path: joined })
    expect((await environment({ env: { PATH: '/opt' } }, {}, append)).env).toEqual({ PATH: '/opt' })
    expect((await environment({ env: { A: '1' } }, around, append)).env).toEqual({ A: '1' })
  })

  test('has the variables of a file, above those by name and below the entry', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, '.env'), 'A=file\nB=file\nTOKEN=file')
    const spec = stdio({ envFile: '.env', inheritNames: ['TOKEN'], env: { A: 'entry' } })
    const { spec: resolved } = await resolveSpec(spec, local(around, folder))
    expect(resolved).toMatchObject({ env: { A: 'entry', B: 'file', TOKEN: 'file' } })
  })

  test('is refused without the file that it names', async () => {
    expect(await issuesOf({ envFile: 'gone.env' }, local())).toMatchObject([
      {
        code: 'env_file_missing',
        severity: 'error',
        path: '/mcpServers/a/envFile',
        message: 'server "a": envFile is a file that cannot be read',
        fix: 'create the file, or correct the path, which is relative to the workspace',
        found: 'no readable file',
        expected: 'a file of NAME=value lines',
      },
    ])
  })

  test('of a platform user has nothing of this machine', async () => {
    const told = async (spec: Partial<StdioServerSpec>) =>
      (await issuesOf(spec, { kind: 'session' })).map(({ path, message }) => `${path} ${message}`)
    const belongs = 'which belongs to the machine that runs the server'
    expect(await told({ inheritEnv: 'all' })).toEqual([
      `/mcpServers/a/inheritEnv server "a": inheritEnv uses the whole environment, ${belongs}`,
    ])
    expect(await told({ inheritNames: ['A'] })).toEqual([
      `/mcpServers/a/inheritNames server "a": inheritNames uses environment variables, ${belongs}`,
    ])
    expect(await told({ envFile: '.env' })).toEqual([
      `/mcpServers/a/envFile server "a": envFile uses a file, ${belongs}`,
    ])
    expect(await told({ inheritNames: [], inheritEnv: 'safe' })).toEqual([])
    const { spec } = await resolveSpec(stdio({ inheritEnv: 'none', env: { A: '1' } }), { kind: 'session' })
    expect(spec).toMatchObject({ inheritEnv: 'none', env: { A: '1' } })
  })
})

describe('a variable', () => {
  /** What becomes of one argument, and what is told about it. */
  async function expanded(
    text: string,
    options: ResolveOptions = {},
    env: Readonly<Record<string, string>> = {},
  ) {
    const { spec, issues } = await resolveSpec(stdio({ args: [text] }), local(env), options)
    const sensitive = spec.sensitiveValues ?? []
    return { text: spec.transport === 'stdio' ? spec.args[0] : undefined, issues, sensitive }
  }

  test.each([
    [
      '${env:A',
      'variable_unterminated',
      'has a ${ without a }',
      'close it with }; for a literal ${ write $${',
    ],
    [
      '${HOME}',
      'variable_unknown',
      'uses ${HOME}, which is not a known variable',
      'use ${env:NAME} or ${workspaceFolder}; for a literal ${ write $${',
    ],
    [
      '${secret-value}',
      'variable_unknown',
      'uses ${…}, which is not a known variable',
      'use ${env:NAME} or ${workspaceFolder}; for a literal ${ write $${',
    ],
    [
      '${cmd:id}',
      'variable_unknown',
      'uses ${cmd:…}, which is not a known variable',
      'use ${env:NAME} or ${workspaceFolder}; for a literal ${ write $${',
    ],
    [
      '${env:A:-${env:B}}',
      'variable_nested',
      'has a variable in the default of ${env:A}',
      'write the default as plain text',
    ],
    [
      '${env:A:-${env:A}}',
      'variable_cyclic',
      'has ${env:A} as its own default',
      'write the default as plain text',
    ],
    [
      '${input:key}',
      'input_missing',
      'uses ${input:key}, which has no value',
      'write ${env:NAME} instead, and set NAME',
    ],
    [
      '${file:gone}',
      'file_unreadable',
      'uses a file that cannot be read',
      'correct the path, or create the file',
    ],
  ])('that cannot be replaced is told with a way out: %s', async (text, code, message, fix) => {
    expect(await issuesOf({ args: [text] }, local())).toMatchObject([
      {
        code,
        severity: 'error',
        path: '/mcpServers/a/args/0',
        message: `server "a": args/0 ${message}`,
        fix,
      },
    ])
  })

  test('that nobody answers is a question, where there is somebody', async () => {
    const inputs = { answer: async () => undefined }
    expect(await issuesOf({ args: ['${input:key}'] }, local(), { inputs })).toMatchObject([
      { fix: 'answer the question' },
    ])
  })

  test('of the environment may be a secret, unless every program gets it', async () => {
    const env = { TOKEN: 't', HOME: '/root', EMPTY: '' }
    expect(await expanded('${env:TOKEN}${env:HOME}', {}, env)).toMatchObject({
      text: 't/root',
      sensitive: ['t'],
    })
    expect(await expanded('${env:EMPTY:-d}', {}, env)).toMatchObject({ text: 'd', sensitive: [] })
    const unset = { policy: { 'vars.default': 'unset' } } as const
    expect(await expanded('${env:EMPTY:-d}', unset, env)).toMatchObject({ text: '' })
    expect(await expanded('${env:GONE:-d}', unset, env)).toMatchObject({ text: 'd' })
  })

  test('of the environment may come from the store', async () => {
    const asked: unknown[] = []
    const inputs = {
      answer: async (request: object) => {
        asked.push(request)
        return 'stored'
      },
    }
    const from = (where: Policy['secrets.env']) => ({ inputs, policy: { 'secrets.env': where } })
    const env = { A: 'own', HOME: '/root' }
    expect(await expanded('${env:A}', from('process'), env)).toMatchObject({ text: 'own' })
    expect(await expanded('${env:A}', from('both'), env)).toMatchObject({ text: 'own' })
    expect(asked).toEqual([])
    expect(await expanded('${env:HOME}', from('store'), env)).toMatchObject({
      text: 'stored',
      sensitive: ['stored'],
    })
    expect(await expanded('${env:B}', from('both'), env)).toMatchObject({ text: 'stored' })
    const destination = { target: expect.stringMatching(/^command [0-9a-f]{64}$/), fields: ['/args/0'] }
    expect(asked).toEqual([
      { server: 'a', id: 'HOME', isSecret: true, kind: 'secret', destination },
      { server: 'a', id: 'B', isSecret: true, kind: 'secret', destination },
    ])
    expect((await expanded('${env:B}', from('process'), env)).text).toBe('')
  })

  test('that is not set is empty, kept, an error or dropped, as the policy says', async () => {
    const unset = (how: Policy['vars.unset']) => ({ policy: { 'vars.unset': how } })
    expect(await expanded('x${env:A}', unset('empty'))).toMatchObject({
      text: 'x',
      issues: [
        {
          code: 'variable_unset',
          severity: 'warning',
          message: 'server "a": args/0 uses ${env:A}, which is not set',
          fix: 'set A, or give it a default: ${env:A:-…}',
        },
      ],
    })
    expect((await expanded('x${env:A}', unset('keep'))).text).toBe('x${env:A}')
    expect((await expanded('x${env:A}', unset('drop'))).text).toBeUndefined()
    await expect(expanded('x${env:A}', unset('error'))).rejects.toThrow('which is not set')
    expect(await expanded('${secret:S}', unset('empty'))).toMatchObject({
      text: '',
      issues: [{ fix: 'set S' }],
    })
  })

  test.each([
    ['${workspaceFolder}', '/work space'],
    ['${workspaceFolderBasename}', 'work space'],
    ['${configFolder}', '/project/.host'],
    ['${userHome}', '/home/ada'],
    ['${pathSeparator}', '/'],
  ])('that is predefined: %s', async (text, expected) => {
    const authority = local({ HOME: '/home/ada' }, '/work space')
    const { spec } = await resolveSpec(stdio({ args: [text] }), authority)
    expect(spec).toMatchObject({ args: [expected] })
    expect(spec.sensitiveValues ?? []).toEqual([])
  })

  test.each([
    ['${env:A}', '${env:A}'],
    ['${userHome}', '${userHome}'],
    ['${file:/etc/passwd}', '${file:…}'],
  ])('of this machine is nothing for a platform user: %s', async (text, shown) => {
    expect(await issuesOf({ args: [text] }, { kind: 'session' })).toMatchObject([
      {
        code: 'not_for_session',
        message: `server "a": args/0 uses ${shown}, which belongs to the machine that runs the server`,
        fix: 'write the value itself; it is stored encrypted',
      },
    ])
  })

  test('of a file is its trimmed text, a secret, relative to the configuration or the home folder', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'key'), ' k \n')
    const file = { ...source, file: join(folder, 'mcp.json') }
    for (const [text, home] of [
      ['${file:key}', '/nowhere'],
      ['${file:~/key}', folder],
      [`\${file:${folder}/key}`, '/nowhere'],
    ] as const) {
      const { spec } = await resolveSpec(stdio({ args: [text], source: file }), local({ HOME: home }))
      expect(spec).toMatchObject({ args: ['k'], sensitiveValues: ['k'] })
    }
  })

  test('of a file that cannot be read is kept where the host does', async () => {
    const { text, issues } = await expanded('x ${file:gone}', { policy: { 'vars.file': 'keep' } })
    expect(text).toBe('x ${file:gone}')
    expect(issues).toMatchObject([{ code: 'file_unreadable', severity: 'warning' }])
  })

  test('of an input is a secret unless it is the default', async () => {
    const spec = stdio({
      args: ['${input:a}', '${input:b}'],
      inputs: [{ id: 'a', default: 'd' }, { id: 'b' }],
    })
    const inputs = { answer: async ({ id }: { readonly id: string }) => (id === 'b' ? 'answer' : undefined) }
    const { spec: resolved } = await resolveSpec(spec, local(), { inputs })
    expect(resolved).toMatchObject({ args: ['d', 'answer'], sensitiveValues: ['answer'] })
  })

  test('of a secret comes from the store, then from the environment of a person', async () => {
    expect(await expanded('${secret:S}', {}, { S: 'own' })).toMatchObject({ text: 'own', sensitive: ['own'] })
    const inputs = { answer: async () => 'stored' }
    expect(await expanded('${secret:S}', { inputs }, { S: 'own' })).toMatchObject({ text: 'stored' })
  })

  test('of the context is text, a number or a boolean', async () => {
    const context = { a: { text: 't', number: 1, flag: false, object: {}, nothing: null } }
    const options = { context }
    expect((await expanded('${context:a.text}${context:a.number}${context:a.flag}', options)).text).toBe(
      't1false',
    )
    for (const path of ['a', 'a.object', 'a.nothing', 'a.gone', 'a.text.length', 'a.constructor.name'])
      expect((await expanded(`\${context:${path}}`, options)).issues).toMatchObject([
        { code: 'variable_unset' },
      ])
  })

  test('is not asked for once the start is cancelled', async () => {
    const controller = new AbortController()
    controller.abort(new Error('enough'))
    const { signal } = controller
    const inputs = { answer: async () => 'answer' }
    await expect(expanded('${input:a}', { inputs, signal })).rejects.toThrow('enough')
    await expect(expanded('${file:gone}', { signal })).rejects.toThrow('enough')
    await expect(resolveSpec(stdio({ envFile: 'gone' }), local(), { signal })).rejects.toThrow('enough')
  })
})
