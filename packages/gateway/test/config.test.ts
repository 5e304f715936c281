import { type ConfigResponse, type Problem, paths, type SaveConfigResponse } from '@toolbridge/api'
import { canary } from '@toolbridge/testkit/secrets'
import { beforeEach, expect, test } from 'vitest'
import { type Caller, createTestGateway, type TestGateway } from './support/gateway.ts'
import { describeStores } from './support/lockbox.ts'

let gateway: TestGateway
let ada: Caller
let bob: Caller
let people = 0

describeStores('saved settings', (lockbox) => {
  beforeEach(() => {
    people += 1
    gateway = createTestGateway({ lockbox, principals: [`ada-${people}`, `bob-${people}`] })
    ada = gateway.as(`ada-${people}`)
    bob = gateway.as(`bob-${people}`)
    return () => gateway[Symbol.asyncDispose]()
  })

  const tavily = {
    command: 'npx',
    args: ['-y', 'tavily-mcp'],
    env: { TAVILY_API_KEY: canary('tavily') },
    disabled: true,
  }
  const remote = {
    url: 'https://mcp.example/',
    headers: { Authorization: `Bearer ${canary('header')}` },
    disabled: true,
  }

  test('nothing saved is an empty set of servers without a version [S2-76]', async () => {
    expect(await read(ada)).toEqual({ mcpServers: {} })
  })

  test('what was saved comes back in clear, to its owner only [S2-11] [S2-25] [S2-75] [S2-80]', async () => {
    const response = await ada.post(paths.config, { mcpServers: { tavily, remote } })
    expect(response.status).toBe(200)
    const saved: SaveConfigResponse = await response.json()
    expect(saved).toEqual({
      success: true,
      id: expect.any(String),
      version: 1,
      createdAt: expect.any(String),
    })
    expect(new Date(saved.createdAt).toISOString()).toBe(saved.createdAt)
    expect(await read(ada)).toEqual({ mcpServers: { tavily, remote }, version: 1 })
    expect(await read(bob)).toEqual({ mcpServers: {} })
  })

  test('more than a hundred servers are refused, and nothing is saved [C25]', async () => {
    const mcpServers = Object.fromEntries(
      Array.from({ length: 101 }, (_, index) => [`server-${index}`, remote]),
    )
    const response = await ada.post(paths.config, { mcpServers })
    expect(response.status).toBe(422)
    const { code, issues }: Problem = await response.json()
    expect({ code, issues }).toMatchObject({ code: 'config_invalid', issues: [{ path: '/mcpServers' }] })
    expect(await read(ada)).toEqual({ mcpServers: {} })
    delete mcpServers['server-100']
    expect((await ada.post(paths.config, { mcpServers })).status).toBe(200)
  })

  test('a masked reading shows references in place of every secret [d.6-6] [C18]', async () => {
    await ada.post(paths.config, { mcpServers: { tavily, remote } })
    const text = await (await ada.get(`${paths.config}?masked=1`)).text()
    expect(text).not.toContain('Kanarienvogel')
    expect(JSON.parse(text)).toEqual({
      mcpServers: {
        tavily: { ...tavily, env: { TAVILY_API_KEY: { kept: 1 } } },
        remote: { ...remote, headers: { Authorization: { kept: 1 } } },
      },
      version: 1,
    })
  })

  test('saving references puts the kept values back, from whichever version they name', async () => {
    await ada.post(paths.config, { mcpServers: { tavily, remote } })
    await ada.post(paths.config, { mcpServers: {} })
    const env = { TAVILY_API_KEY: { kept: 1 }, NEW: 'value' }
    const response = await ada.post(paths.config, { mcpServers: { tavily: { ...tavily, env } } })
    expect(response.status).toBe(200)
    expect(await read(ada)).toEqual({
      mcpServers: { tavily: { ...tavily, env: { TAVILY_API_KEY: canary('tavily'), NEW: 'value' } } },
      version: 3,
    })
  })

  test('a reference that leads nowhere is refused with its place, and so is another owner’s value', async () => {
    await bob.post(paths.config, { mcpServers: { tavily } })
    await ada.post(paths.config, { mcpServers: { 'a/b': tavily } })
    const env = { TAVILY_API_KEY: { kept: 1 } }
    const refused = await ada.post(paths.config, { mcpServers: { tavily: { ...tavily, env } } })
    expect(refused.status).toBe(422)
    expect(await issuesOf(refused)).toEqual([
      { path: '/mcpServers/tavily/env/TAVILY_API_KEY', message: expect.stringContaining('version 1') },
    ])
    const unknown = { ...tavily, env: { constructor: { kept: 1 }, toString: { kept: 2_147_483_647 } } }
    const issues = await issuesOf(await ada.post(paths.config, { mcpServers: { 'a/b': unknown } }))
    expect(issues.map(({ path }) => path)).toEqual([
      '/mcpServers/a~1b/env/constructor',
      '/mcpServers/a~1b/env/toString',
    ])
    expect((await read(ada)).version).toBe(1)
  })

  test('a save that expects another version than the current one is refused with both', async () => {
    await ada.post(paths.config, { mcpServers: { tavily } })
    const refused = await ada.post(paths.config, { mcpServers: {}, version: 0 })
    expect(refused.status).toBe(409)
    expect(await refused.json()).toMatchObject({
      code: 'version_conflict',
      versions: { expected: 0, current: 1 },
    })
    expect((await ada.post(paths.config, { mcpServers: {}, version: 1 })).status).toBe(200)
  })

  test('of two saves that expect the same version, one wins and nothing is lost [S2-91]', async () => {
    const saves = await Promise.all(
      ['one', 'two'].map((name) => ada.post(paths.config, { mcpServers: { [name]: tavily }, version: 0 })),
    )
    expect(new Set(saves.map(({ status }) => status))).toEqual(new Set([200, 409]))
    expect(await read(ada)).toMatchObject({ version: 1 })
  })

  test('text that is not JSON is refused with line and column, and nothing is saved', async () => {
    const response = await ada.post(paths.config, '{\n  "mcpServers": {\n    "a": { "command" "x" }\n  }\n}')
    expect(response.status).toBe(400)
    const problem: Problem = await response.json()
    expect(problem.code).toBe('malformed_json')
    expect(problem.issues).toEqual([
      { path: '', line: 3, column: 22, message: expect.stringContaining('colon') },
    ])
    expect(await read(ada)).toEqual({ mcpServers: {} })
  })

  test('comments are refused by name, since what is saved is JSON', async () => {
    const response = await ada.post(paths.config, '{ "mcpServers": {} /* none */ }')
    expect(response.status).toBe(400)
    expect(await issuesOf(response)).toEqual([{ path: '', message: expect.stringContaining('comments') }])
  })

  test('every issue of every server is told at once, with its place [S2-78]', async () => {
    const response = await ada.post(paths.config, {
      mcpServers: {
        one: {},
        two: { command: '', args: 'x', env: { A: 1 } },
        three: { url: 'file:///etc/passwd' },
        four: { command: 'x', args: [], cwd: '/' },
        good: tavily,
      },
      versions: 1,
    })
    expect(response.status).toBe(422)
    const issues = await issuesOf(response)
    expect(issues.map(({ path }) => path).toSorted()).toEqual([
      '',
      '/mcpServers/four/cwd',
      '/mcpServers/one',
      '/mcpServers/three/url',
      '/mcpServers/two/args',
      '/mcpServers/two/command',
      '/mcpServers/two/env/A',
    ])
    expect(issues.find(({ path }) => path === '/mcpServers/two/args')).toMatchObject({ line: 1 })
    expect(await read(ada)).toEqual({ mcpServers: {} })
  })

  test.each([
    ['a number', '3'],
    ['an empty body', ''],
    ['no servers', '{}'],
    ['servers in a list', '{"mcpServers":[]}'],
    ['an empty name', '{"mcpServers":{"":{"command":"x","args":[]}}}'],
    ['a name twice', '{"mcpServers":{"a":{"command":"x","args":[]},"a":{"command":"y","args":[]}}}'],
    ['a name that means something to JavaScript', '{"mcpServers":{"__proto__":{"command":"x","args":[]}}}'],
    ['a variable of that name', '{"mcpServers":{"a":{"command":"x","args":[],"env":{"__proto__":"x"}}}}'],
    ['url and command', '{"mcpServers":{"a":{"command":"x","args":[],"url":"http://a.example"}}}'],
    ['a negative version', '{"mcpServers":{},"version":-1}'],
    ['a version beyond any', '{"mcpServers":{},"version":9007199254740991}'],
    [
      'a kept version beyond any',
      '{"mcpServers":{"a":{"command":"x","args":[],"env":{"A":{"kept":9007199254740991}}}}}',
    ],
  ])('%s is refused and leaves what was saved', async (_, body) => {
    await ada.post(paths.config, { mcpServers: { tavily } })
    const response = await ada.post(paths.config, body)
    expect([400, 422]).toContain(response.status)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await read(ada)).toMatchObject({ mcpServers: { tavily }, version: 1 })
  })

  test('arguments may be left out, and fields that mean nothing here are dropped with a word about each', async () => {
    const response = await ada.post(paths.config, {
      mcpServers: {
        plain: { command: 'x', timeout: 5, autoApprove: ['read'], disabled: true },
        off: { command: 'x', enabled: false, required: true },
      },
    })
    const { warnings = [] }: SaveConfigResponse = await response.json()
    expect(warnings.map(({ path }) => path).toSorted()).toEqual([
      '/mcpServers/off/required',
      '/mcpServers/plain/autoApprove',
      '/mcpServers/plain/timeout',
    ])
    expect(warnings.find(({ path }) => path.endsWith('timeout'))).toMatchObject({
      line: 1,
      message: expect.stringContaining('was ignored: its unit depends on the host'),
    })
    expect((await read(ada)).mcpServers).toEqual({
      plain: { command: 'x', args: [], disabled: true },
      off: { command: 'x', args: [], disabled: true },
    })
  })

  test('a field that narrows what a server may do is not dropped but refused', async () => {
    const fields = {
      disabledTools: ['delete'],
      tools: { allow: ['read'] },
      approval: { default: 'ask' },
      readOnly: true,
      unsetEnv: ['PATH'],
      inheritEnv: 'none',
      envFile: '/etc/environment',
      inheritNames: ['HOME'],
    }
    for (const [field, value] of Object.entries(fields)) {
      const response = await ada.post(paths.config, {
        mcpServers: { files: { command: 'x', [field]: value } },
      })
      expect(response.status).toBe(422)
      expect(await issuesOf(response)).toEqual([
        expect.objectContaining({ path: `/mcpServers/files/${field}` }),
      ])
    }
  })

  test('issues are told in plain words, with the way out', async () => {
    const response = await ada.post(paths.config, {
      mcpServers: { a: { command: 7, args: 'x', env: [], disabled: 'no' }, b: { url: 'nowhere' }, c: 3 },
      version: 'one',
    })
    const text = (await issuesOf(response)).map(({ message }) => message).join('\n')
    expect(text).not.toMatch(/Invalid input|expected .*, received|ZodError/)
    expect(text).toContain('must be an http or https URL')
  })

  const remoteSecret = `https://mcp.example/?api_key=${canary('query')}&region=eu`
  const tool = {
    command: 'npx',
    args: [
      'run',
      '--token',
      canary('argument-1'),
      '-e',
      `API_KEY=${canary('argument-2')}`,
      `--password=${canary('argument-3')}`,
      remoteSecret,
      '--verbose',
    ],
    disabled: true,
  }

  test('a masked reading hides secrets in arguments and addresses too, and saving it keeps them', async () => {
    const mcpServers = { tool, remote: { url: remoteSecret, disabled: true } }
    await ada.post(paths.config, { mcpServers })
    const text = await (await ada.get(`${paths.config}?masked=1`)).text()
    expect(text).not.toContain('Kanarienvogel')
    const masked: ConfigResponse = JSON.parse(text)
    const kept = { kept: 1 }
    expect(masked.mcpServers).toEqual({
      tool: { ...tool, args: ['run', '--token', kept, '-e', kept, kept, kept, '--verbose'] },
      remote: { url: kept, disabled: true },
    })
    expect((await ada.post(paths.config, { mcpServers: masked.mcpServers })).status).toBe(200)
    expect((await read(ada)).mcpServers).toEqual(mcpServers)
  })

  test('a kept argument moves with the one before it, once the new command line is confirmed', async () => {
    const args = [
      '-e',
      `A_KEY=${canary('argument-1')}`,
      '-e',
      `B_KEY=${canary('argument-2')}`,
      '--token',
      canary('argument-3'),
    ]
    await ada.post(paths.config, { mcpServers: { tool: { ...tool, args } } })
    const kept = { kept: 1 }
    const moved = {
      mcpServers: { tool: { ...tool, args: ['--verbose', '--token', kept, '-e', kept, '-e', kept] } },
    }
    const refused: Problem = await (await ada.post(paths.config, moved)).json()
    expect(refused).toMatchObject({
      code: 'destination_unconfirmed',
      destinations: [
        {
          server: 'tool',
          fields: ['/args/2', '/args/4', '/args/6'],
          from: 'npx -e … -e … --token …',
          to: 'npx --verbose --token … -e … -e …',
        },
      ],
    })
    expect(await read(ada)).toMatchObject({ version: 1 })
    const confirmed = { ...moved, confirmedDestinations: refused.destinations }
    expect((await ada.post(paths.config, confirmed)).status).toBe(200)
    expect((await read(ada)).mcpServers['tool']).toMatchObject({
      args: [
        '--verbose',
        '--token',
        canary('argument-3'),
        '-e',
        `A_KEY=${canary('argument-1')}`,
        '-e',
        `B_KEY=${canary('argument-2')}`,
      ],
    })
  })

  test('a kept argument is refused where it could be another', async () => {
    const args = [
      '-e',
      `A_KEY=${canary('argument-1')}`,
      '-e',
      canary('argument-2'),
      '--token',
      canary('argument-3'),
    ]
    await ada.post(paths.config, { mcpServers: { tool: { ...tool, args } } })
    const kept = { kept: 1 }
    const unclear = { ...tool, args: ['-e', kept, '--token', kept] }
    const refused = await ada.post(paths.config, { mcpServers: { tool: unclear } })
    expect(await issuesOf(refused)).toEqual([
      { path: '/mcpServers/tool/args/1', message: expect.stringContaining('enter the value') },
    ])
  })

  test('a server under a new name has to be given its secrets again, and is told so', async () => {
    await ada.post(paths.config, { mcpServers: { tavily } })
    const env = { TAVILY_API_KEY: { kept: 1 } }
    const refused = await ada.post(paths.config, { mcpServers: { renamed: { ...tavily, env } } })
    expect(await issuesOf(refused)).toEqual([
      {
        path: '/mcpServers/renamed/env/TAVILY_API_KEY',
        message: expect.stringContaining('cannot move to another server'),
      },
    ])
  })

  test('a refused save quotes no secret [C18]', async () => {
    const broken = { ...tavily, args: canary('broken') }
    const response = await ada.post(paths.config, { mcpServers: { broken } })
    expect(await response.text()).not.toContain('Kanarienvogel')
    expect(gateway.logged.join()).not.toContain('Kanarienvogel')
  })

  async function read(caller: Caller): Promise<ConfigResponse> {
    return (await caller.get(paths.config)).json()
  }

  async function issuesOf(response: Response): Promise<NonNullable<Problem['issues']>> {
    const problem: Problem = await response.json()
    return problem.issues ?? []
  }
})
