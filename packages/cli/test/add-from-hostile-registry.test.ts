import { readFileSync, rmSync } from 'node:fs'
import { readConfig, resolveSpec } from '@toolbridge/bridge/config'
import { describe, expect, test } from 'vitest'
import { about, name, positional, useRegistry, withNpm } from './add-from-registry.ts'
import { RegistryResponse } from './registry.ts'

const { registry, folder, add, ownFile, document, requireNothingWritten } = useRegistry()

/** Options by which runners start other packages or programs, or ask elsewhere for them. */
const options = [
  '--registry=https://evil.example',
  '--package=evil',
  '-p',
  '-c',
  '--call=id',
  '--from=evil',
  '--with=evil',
  '--index-url=https://evil.example',
  '--prefix=/tmp/evil',
  '--node-options=--require=/tmp/evil.js',
  '-e',
  '--',
]

/** The entry of a package with a text in each place in turn. */
function withEverywhere(registryType: string, text: string): Readonly<Record<string, object>> {
  const identifier = registryType === 'npm' ? '@ada/weather-mcp' : 'weather-mcp'
  const entry = (fields: object): object => withNpm({ registryType, identifier, ...fields })
  return {
    identifier: entry({ identifier: text }),
    version: entry({ version: text }),
    runtime: entry({ runtimeArguments: [positional(text)] }),
    runtimeNamed: entry({ runtimeArguments: [{ type: 'named', name: text, value: 'x' }] }),
    runtimeValue: entry({ runtimeArguments: [{ type: 'named', name: '--quiet', value: text }] }),
    hint: entry({ runtimeHint: text, runtimeArguments: [positional('-q')] }),
    variable: entry({ environmentVariables: [{ name: text, value: 'x' }] }),
    value: entry({ environmentVariables: [{ name: 'REGION', value: text }] }),
    argument: entry({ packageArguments: [positional(text)] }),
    argumentNamed: entry({ packageArguments: [{ type: 'named', name: text, value: text }] }),
    description: { ...entry({}), description: text },
    title: { ...entry({}), title: text },
    baseUrl: entry({ registryBaseUrl: text }),
  }
}

describe('a hostile registry', () => {
  test.each([
    ['--evil', 'invalid npm package'],
    ['../evil', 'invalid npm package'],
    ['git+https://evil.example/x.git', 'invalid npm package'],
    ['evil@npm:other', 'invalid npm package'],
    ['evil --registry=https://evil.example', 'invalid npm package'],
  ])('cannot name the package %j', async (identifier, message) => {
    registry().publish(withNpm({ identifier }))
    await requireNothingWritten(add(name), 2, message)
  })

  test.each([
    'latest',
    '^1.0.0',
    '1.x',
    '*',
    '1.0.0 || 2',
    '1.0.0-x.tgz',
    '1.0.0-x.tar.gz',
    '1.0.0-X.TAR',
    '',
    undefined,
  ])('cannot leave the version open: %j', async (version) => {
    registry().publish(withNpm({ version }))
    await requireNothingWritten(add(name), 2, 'no exact version')
  })

  test.each([
    { runtimeArguments: [{ type: 'named', name: '--registry', value: 'https://evil.example' }] },
    { runtimeArguments: [positional('--package=evil')] },
    { runtimeArguments: [positional('-y'), positional('evil')] },
    { runtimeArguments: [positional('-y')], runtimeHint: 'sh' },
    { environmentVariables: [{ name: 'npm_config_registry', value: 'https://evil.example' }] },
    { environmentVariables: [{ name: 'NODE_OPTIONS', default: '--require=/tmp/evil.js' }] },
    { environmentVariables: [{ name: 'PYTHONWARNINGS', value: 'all:0:antigravity.x:0:0' }] },
    { environmentVariables: [{ name: 'BROWSER', value: '/bin/sh -c id #%s' }] },
    { environmentVariables: [{ name: 'OPENSSL_CONF', value: 'evil.cnf' }] },
    { environmentVariables: [{ name: 'TOOLBRIDGE_DATA', value: '/tmp/evil' }] },
  ])('cannot change what the runner starts: %j', async (fields) => {
    registry().publish(withNpm(fields))
    await requireNothingWritten(add(name), 2, 'which could change what runs')
  })

  test.each(['npm', 'pypi'])(
    'cannot make an option of the runner of %s of any text of its entry, advisory [H2]',
    async (registryType) => {
      const refused: string[] = []
      for (const option of options)
        for (const [where, server] of Object.entries(withEverywhere(registryType, option))) {
          registry().publish(server)
          const { code } = await add(name)
          if (code !== 0) {
            refused.push(where)
            continue
          }
          const { command = '', args = [], env = {} } = document().mcpServers['weather'] ?? {}
          const [runner, before] = registryType === 'npm' ? ['npx', ['-y']] : ['uvx', []]
          const pinned = args.findIndex((arg) => /^(?:@ada\/weather-mcp@|weather-mcp==)1\.2\.3$/.test(arg))
          expect([where, command, args.slice(0, pinned)]).toEqual([where, runner, before])
          expect([where, Object.keys(env)]).toEqual([where, expect.not.arrayContaining([option])])
          rmSync(ownFile())
        }
      // What comes before the package, and what names it, is refused; what comes after is the package's own.
      const before = ['identifier', 'version', 'runtime', 'hint', 'variable']
      for (const where of before)
        expect(refused.filter((each) => each === where)).toHaveLength(options.length)
      expect(refused).not.toContain('argument')
    },
  )

  test('may set variables that only configure the server', async () => {
    const names = ['NODE_ENV', 'PYTHONUNBUFFERED', 'GITHUB_HOST', 'LOG_LEVEL', 'ENVIRONMENT', 'HOMEPAGE']
    registry().publish(withNpm({ environmentVariables: names.map((each) => ({ name: each, value: '1' })) }))
    expect(await add(name)).toMatchObject({ code: 0 })
    expect(Object.keys(document().mcpServers['weather']?.env ?? {})).toEqual(names)
  })

  test('gets every argument as one word, whatever a shell would do with it', async () => {
    const words = ['; rm -rf ~', '$(id)', '`id`', '&& x', '| y', 'a b', '"', '%PATH%']
    registry().publish(withNpm({ packageArguments: words.map(positional) }))
    const { stderr } = await add(name)
    expect(document().mcpServers['weather']?.args?.slice(2)).toEqual(words)
    expect(stderr).toContain('@ada/weather-mcp@1.2.3 "; rm -rf ~" "$(id)"')
  })

  test('reads neither the environment nor files by variables in its texts', async () => {
    const parts = { half: { default: '$' } }
    const values = ['${env:HOME}', '$${env:HOME}', '${file:/etc/passwd}', '${userHome}']
    registry().publish(
      withNpm({
        packageArguments: [
          ...values.map(positional),
          { type: 'positional', value: '{half}{env:HOME}', variables: parts },
          { type: 'named', name: '--${env:HOME}', value: 'x' },
        ],
        environmentVariables: [{ name: 'LEAK', value: '${env:HOME}' }],
      }),
    )
    expect(await add(name)).toMatchObject({ code: 0 })
    const { servers } = readConfig(readFileSync(ownFile(), 'utf8'), { file: ownFile() })
    const [server] = servers
    if (server === undefined) throw new Error('no server was written')
    const authority = { kind: 'local', env: { HOME: 'LEAKED' }, workspaceFolder: folder() } as const
    expect(await resolveSpec(server, authority)).toMatchObject({
      spec: {
        args: ['-y', '@ada/weather-mcp@1.2.3', ...values, '${env:HOME}', '--${env:HOME}', 'x'],
        env: { LEAK: '${env:HOME}' },
      },
    })
  })

  test.each([
    { packageArguments: [positional('a\u001B[2Jb')] },
    { packageArguments: [positional('a\u202Eb')] },
    { packageArguments: [{ type: 'positional', valueHint: 'x\nname', isRequired: true }] },
    { environmentVariables: [{ name: 'A', value: 'x\ny' }] },
  ])('cannot hide characters: %j', async (fields) => {
    registry().publish(withNpm(fields))
    await requireNothingWritten(add(name), 3, 'invisible characters')
  })

  test.each([
    [{ environmentVariables: [{ name: 'A=B', value: 'x' }] }, 'invalid environment variable'],
    [{ environmentVariables: [{ name: '${env:X}', isRequired: true }] }, 'invalid environment variable'],
  ])('cannot name %j', async (fields, message) => {
    registry().publish(withNpm(fields))
    await requireNothingWritten(add(name), 2, message)
  })

  test('cannot use a value that nobody would read', async () => {
    registry().publish(withNpm({ packageArguments: [positional(`${'$'.repeat(500_000)}x`)] }))
    await requireNothingWritten(add(name), 3, 'more than 10000 characters')
  })

  test('cannot act on the terminal by its texts', async () => {
    const description = 'ok\u001B[2J\u009B31m\u202E\ntoolbridge: trusted'
    registry().publish({
      ...withNpm({ registryBaseUrl: 'https://a.test/\u001B[1m' }),
      description,
      title: '\u0007',
    })
    const { stderr } = await add(name)
    expect(stderr).toMatch(/^[ -~\n…]*$/)
    expect(stderr).not.toMatch(/^toolbridge: trusted/m)
  })

  test('cannot respond with another server', async () => {
    registry().publish(withNpm({}))
    const path = '/v0.1/servers/io.github.ada%2Fother/versions/latest'
    registry().responses.set(
      path,
      registry().responses.get(registry().responses.keys().next().value ?? '') ?? '',
    )
    await requireNothingWritten(add('io.github.ada/other'), 3, `responded with ${name} 1.2.0 instead of`)
  })

  const path = '/v0.1/servers/io.github.ada%2Fweather-mcp/versions/latest'
  test.each([
    ['no JSON', '<html>', 'did not respond with JSON'],
    ['a list', [], 'response: expected an object'],
    ['no server', {}, 'server: expected an object'],
    ['no version', { server: { name } }, 'server.version: expected a text'],
    ['packages that are no list', { server: { ...about, packages: {} } }, 'server.packages: expected a list'],
    [
      'a package without name',
      { server: withNpm({ identifier: 1 }) },
      'packages[0].identifier: expected a text',
    ],
    ['an odd argument', { server: withNpm({ packageArguments: ['-y'] }) }, 'packages[0].packageArguments[0]'],
    [
      'a flag that is a text',
      { server: withNpm({ environmentVariables: [{ name: 'A', isSecret: 'no' }] }) },
      'isSecret',
    ],
    ['too much', `"${'x'.repeat(1024 * 1024)}"`, 'more than 1048576 bytes'],
    ['a status', new RegistryResponse(503), 'responded with status 503'],
    [
      'a redirect to another host',
      new RegistryResponse(302, { location: 'https://evil.example/' }),
      'registry',
    ],
    ['a redirect to itself', new RegistryResponse(302, { location: path }), 'redirects'],
  ])('that responds with %s is an error, and nothing is written', async (_, response, message) => {
    registry().responses.set(path, response)
    await requireNothingWritten(add(name), 3, message)
    expect(registry().requests.length).toBeLessThan(6)
  })
})
