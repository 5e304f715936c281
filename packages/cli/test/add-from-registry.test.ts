import { readFileSync } from 'node:fs'
import { canary } from '@toolbridge/testkit/secrets'
import { describe, expect, test } from 'vitest'
import { about, name, npm, positional, useRegistry, withNpm } from './add-from-registry.ts'
import { startRegistry } from './registry.ts'

const { registry, run, add, ownFile, document, requireNothingWritten } = useRegistry()

describe('a package of npm', () => {
  test('is started by npx in its exact version', async () => {
    registry().publish(withNpm({ runtimeHint: 'npx', packageArguments: [positional('serve')] }))
    const added = await add(name)
    expect(added).toMatchObject({ code: 0, stdout: `added "weather" in ${ownFile()}\n` })
    expect(added.stderr).toContain('runs         npx -y @ada/weather-mcp@1.2.3 serve')
    expect(added.stderr).toContain('description  "Weather for everyone"')
    expect(document().mcpServers).toEqual({
      weather: { type: 'stdio', command: 'npx', args: ['-y', '@ada/weather-mcp@1.2.3', 'serve'] },
    })
    expect(registry().requests).toEqual(['/v0.1/servers/io.github.ada%2Fweather-mcp/versions/latest'])
  })

  test('without a terminal and --yes is only shown', async () => {
    registry().publish(withNpm({}))
    await requireNothingWritten(run(['add', '--user', name]), 4, 'npx -y @ada/weather-mcp@1.2.3')
  })

  test('is looked up in the version and the registry that the command line names', async () => {
    registry().publish({ ...withNpm({}), version: '1.1.0+build' })
    const args = [
      'add',
      '--user',
      '--yes',
      `${name}@1.1.0+build`,
      '--registry',
      `${registry().url}/v0/`,
      '--name',
      'w',
    ]
    registry().responses.set(
      '/v0/servers/io.github.ada%2Fweather-mcp/versions/1.1.0%2Bbuild',
      registry().responses.get('/v0.1/servers/io.github.ada%2Fweather-mcp/versions/latest') ?? '',
    )
    expect(await run(args, { TOOLBRIDGE_REGISTRY: 'https://unused.invalid' })).toMatchObject({ code: 0 })
    expect(Object.keys(document().mcpServers)).toEqual(['w'])
  })

  test('has references for what is required, defaults, and no secret of the publisher', async () => {
    const secret = canary('published')
    registry().publish(
      withNpm({
        environmentVariables: [
          { name: 'WEATHER_KEY', isRequired: true, isSecret: true, default: secret },
          { name: 'REGION', isRequired: true },
          { name: 'UNITS', default: 'metric' },
          { name: 'TOKEN', isSecret: true, value: secret },
          { name: 'DEBUG' },
        ],
      }),
    )
    const added = await add(name)
    expect(document().mcpServers['weather']?.env).toEqual({
      WEATHER_KEY: '${env:WEATHER_KEY}',
      REGION: '${env:REGION}',
      UNITS: 'metric',
      TOKEN: '${env:TOKEN}',
    })
    expect(added.stderr).toContain('set before the server starts: WEATHER_KEY, REGION, TOKEN')
    expect(added.stderr).toContain('not set      "DEBUG"')
    expect(added.stderr + readFileSync(ownFile(), 'utf8')).not.toContain(secret)
  })

  test('--env goes before the registry', async () => {
    registry().publish(withNpm({ environmentVariables: [{ name: 'KEY', isRequired: true }] }))
    await add(name, '--env', 'KEY=${env:OTHER}')
    expect(document().mcpServers['weather']?.env).toEqual({ KEY: '${env:OTHER}' })
  })

  const open = [
    positional('serve'),
    { type: 'named', name: '--port', default: '80' },
    { type: 'named', name: '--city', isRequired: true },
    { type: 'named', name: '--verbose' },
    { type: 'positional', valueHint: 'folder', isRequired: true },
  ]

  test('asks for required arguments, and keeps what is optional away', async () => {
    registry().publish(withNpm({ packageArguments: open }))
    const { stderr } = await add(name)
    expect(document()).toMatchObject({
      inputs: [
        { type: 'promptString', id: 'weather-city', description: '--city of the server weather' },
        { type: 'promptString', id: 'weather-folder', description: 'folder of the server weather' },
      ],
      mcpServers: {
        weather: {
          args: [
            '-y',
            '@ada/weather-mcp@1.2.3',
            'serve',
            '--port',
            '80',
            '--city',
            '${input:weather-city}',
            '${input:weather-folder}',
          ],
        },
      },
    })
    expect(stderr).toContain('asks for     weather-city, weather-folder')
    expect(stderr).toContain('not set      "--verbose"')
  })

  test('takes the words after -- instead of the arguments that are left open', async () => {
    registry().publish(withNpm({ packageArguments: open }))
    await add(name, '--', '--city', 'Oslo', './data')
    const { inputs, mcpServers } = document()
    expect(inputs).toBeUndefined()
    expect(mcpServers['weather']?.args).toEqual([
      '-y',
      '@ada/weather-mcp@1.2.3',
      'serve',
      '--city',
      'Oslo',
      './data',
    ])
  })

  test('a later version replaces it with --replace', async () => {
    registry().publish(withNpm({ packageArguments: open }))
    await add(name)
    registry().publish(withNpm({ packageArguments: open, version: '2.0.0' }))
    expect(await add(name)).toMatchObject({ code: 2, stderr: expect.stringContaining('--replace') })
    expect(await add(name, '--replace')).toMatchObject({ code: 0 })
    expect(document().mcpServers['weather']?.args?.[1]).toBe('@ada/weather-mcp@2.0.0')
  })
})

test('a package of PyPI is started by uvx in its exact version', async () => {
  const runtimeArguments = [{ type: 'named', name: '--python', value: '3.12' }]
  const pypi = {
    ...npm,
    registryType: 'pypi',
    identifier: 'weather_mcp',
    version: '0.5.0rc1',
    runtimeHint: 'uvx',
  }
  registry().publish({ ...about, packages: [{ ...pypi, runtimeArguments }] })
  expect(await add(name)).toMatchObject({ code: 0 })
  expect(document().mcpServers).toEqual({
    weather: { type: 'stdio', command: 'uvx', args: ['--python', '3.12', 'weather_mcp==0.5.0rc1'] },
  })
})

describe('a remote', () => {
  const remotes = [
    { type: 'sse', url: 'https://weather.example/sse' },
    {
      type: 'streamable-http',
      url: 'https://{tenant}.weather.example/mcp',
      variables: { tenant: { isRequired: true } },
      headers: [
        {
          name: 'Authorization',
          isSecret: true,
          value: 'Bearer {token}',
          variables: { token: { isSecret: true } },
        },
        { name: 'X-Region', default: 'eu' },
        { name: 'X-Key', isRequired: true, isSecret: true },
        { name: 'X-Trace' },
      ],
    },
  ]

  test('is added by its URL, over Streamable HTTP where possible, with inputs for what is open', async () => {
    registry().publish({ ...about, remotes })
    const { stderr } = await add(name)
    expect(document()).toMatchObject({
      inputs: [
        { id: 'weather-token', password: true },
        { id: 'weather-X-Key', password: true },
        { id: 'weather-tenant' },
      ],
      mcpServers: {
        weather: {
          type: 'http',
          url: 'https://${input:weather-tenant}.weather.example/mcp',
          headers: {
            Authorization: 'Bearer ${input:weather-token}',
            'X-Region': 'eu',
            'X-Key': '${input:weather-X-Key}',
          },
        },
      },
    })
    expect(stderr).toContain('connects to  "https://${input:weather-tenant}.weather.example/mcp" (http)')
  })

  test('takes headers of the command line, in any case', async () => {
    registry().publish({ ...about, remotes: [{ ...remotes[1], url: 'https://weather.example/mcp' }] })
    await add(name, '--header', 'authorization=Bearer ${env:T}', '--header', 'X-Key=${env:K}')
    expect(document().inputs).toBeUndefined()
    expect(document().mcpServers['weather']?.headers).toEqual({
      'X-Region': 'eu',
      authorization: 'Bearer ${env:T}',
      'X-Key': '${env:K}',
    })
  })

  test('--use chooses it where there is a package too, and a wrong choice names the others', async () => {
    registry().publish({ ...withNpm({}), remotes: [{ type: 'sse', url: 'https://weather.example/sse' }] })
    expect((await run(['add', name])).stderr).toContain('or --use     remote')
    await requireNothingWritten(
      add(name, '--use', 'pypi'),
      2,
      'cannot be used as "pypi". Possible: npm, remote',
    )
    await add(name, '--use', 'remote')
    expect(document().mcpServers).toEqual({ weather: { type: 'sse', url: 'https://weather.example/sse' } })
  })

  test.each([
    'http://weather.example/mcp',
    'https://ada:pw@weather.example/mcp',
    'file:///etc/passwd',
    '{base}/mcp',
  ])('is refused without https, or with credentials: %s', async (url) => {
    registry().publish({ ...about, remotes: [{ type: 'sse', url, variables: { base: {} } }] })
    await requireNothingWritten(add(name), 2, 'not https')
  })

  test.each([
    ['https://{base}/mcp', 'ada:pw@weather.example'],
    ['https://{base}weather.example/mcp', 'ada@'],
    ['https://{base}', '/'],
  ])(
    'is refused if a value of the publisher adds credentials or an empty host: %s with %s, advisory [D3]',
    async (url, value) => {
      registry().publish({ ...about, remotes: [{ type: 'sse', url, variables: { base: { value } } }] })
      await requireNothingWritten(add(name), 2, 'not https')
    },
  )

  test.each(['x\r\nAuthorization: Bearer y', 'x\ny', 'x\u2028y', 'x\0'])(
    'is refused if a value for a header would be more than one: %j, advisory [D3]',
    async (value) => {
      const remote = { type: 'sse', url: 'https://weather.example/sse' }
      for (const header of [{ value }, { default: value }, { value: '{v}', variables: { v: { value } } }]) {
        registry().publish({ ...about, remotes: [{ ...remote, headers: [{ name: 'X-Team', ...header }] }] })
        await requireNothingWritten(add(name), 3, 'invisible characters')
      }
    },
  )
})

describe('a server that cannot be used', () => {
  test('is unknown: a similar name is suggested', async () => {
    const found = [{ server: about }, { server: { ...about, name: 'io.github.bob/weather' } }]
    registry().responses.set('/v0.1/servers?search=wether-mcp&version=latest&limit=30', { servers: found })
    const misspelled = 'io.github.ada/wether-mcp'
    await requireNothingWritten(add(misspelled), 2, `unknown server "${misspelled}"`)
    expect((await add(misspelled)).stderr).toContain(`Did you mean "${name}"?`)
  })

  test('has no such version: those that exist are listed', async () => {
    const versions = [{ server: about }, { server: { ...about, version: '1.1.0' } }]
    registry().responses.set('/v0.1/servers/io.github.ada%2Fweather-mcp/versions', { servers: versions })
    await requireNothingWritten(
      add(`${name}@9.9.9`),
      2,
      `${name} has no version "9.9.9". Versions: 1.2.0, 1.1.0`,
    )
  })

  test('is deleted: refused. Is deprecated: a warning', async () => {
    registry().publish(withNpm({}), { status: 'deleted', statusMessage: 'malware\u001B[2J' })
    await requireNothingWritten(add(name), 2, 'was deleted from the registry: "malware')
    registry().publish(withNpm({}), { status: 'deprecated', statusMessage: 'use v2\u001B[2J' })
    const { code, stderr } = await add(name)
    expect(code).toBe(0)
    expect(stderr).toContain('warning: this server is deprecated: "use v2\\u001b[2J"')
  })

  test('has packages of other types only: those that are supported are named', async () => {
    const packages = [
      { registryType: 'oci', identifier: 'docker.io/ada/weather:1', transport: { type: 'stdio' } },
      { ...npm, transport: { type: 'streamable-http', url: 'http://localhost:{port}' } },
    ]
    registry().publish({ ...about, packages })
    await requireNothingWritten(
      add(name),
      2,
      'only has: oci package (stdio), npm package (streamable-http). Supported: npm and pypi packages over stdio',
    )
  })
})

describe('the address of the registry', () => {
  test.each([
    'http://registry.example',
    'ftp://registry.example',
    'registry.example',
    'https://a:b@registry.example',
  ])('is refused: %s', async (url) => {
    await requireNothingWritten(add(name, '--registry', url), 2, 'invalid registry: expected an https URL')
  })

  test('that does not respond is named', async () => {
    const closed = await startRegistry()
    await closed[Symbol.asyncDispose]()
    await requireNothingWritten(
      add(name, '--registry', closed.url),
      3,
      `${new URL(closed.url).host} cannot be reached: ECONNREFUSED`,
    )
  })
})
