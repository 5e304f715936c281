import { type ConfigResponse, type Problem, paths, type SaveConfigRequest } from '@toolbridge/api'
import { canary, canaryIn } from '@toolbridge/testkit/secrets'
import { beforeEach, expect, test } from 'vitest'
import { type Caller, createTestGateway, type TestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'

const lockbox = await openFileLockbox()
let gateway: TestGateway
let ada: Caller
let people = 0

beforeEach(() => {
  people += 1
  gateway = createTestGateway({ lockbox, principals: [`ada-${people}`] })
  ada = gateway.as(`ada-${people}`)
  return () => gateway[Symbol.asyncDispose]()
})

const secret = canary('kept')
const kept = { kept: 1 }

/** Disabled, so that nothing starts. */
const commons = { disabled: true }
const remote = { ...commons, url: 'https://mcp.example/mcp', headers: { Authorization: `Bearer ${secret}` } }
const program = { ...commons, command: 'npx', args: ['-y', 'some-server', secret], env: { KEY: secret } }
const signingIn = {
  ...commons,
  url: 'https://mcp.example/mcp',
  auth: { clientId: secret, clientSecret: secret, tokenUrl: 'https://issuer.example/token' },
}

test.each<[string, object]>([
  [
    'an argument',
    { command: 'x', args: ['hello', secret, '-H', `Authorization: ${secret}`, `--token=${secret}`] },
  ],
  ['a variable with a harmless name', { command: 'x', args: [], env: { REGION: secret } }],
  ['a header with a harmless name', { url: 'https://mcp.example/mcp', headers: { 'X-Region': secret } }],
  ['the user of a URL', { url: `https://${secret}@mcp.example/mcp` }],
  ['the query of a URL', { url: `https://mcp.example/mcp?region=${secret}` }],
  ['the fragment of a URL', { url: `https://mcp.example/mcp#${secret}` }],
  ['the path of a URL', { url: `https://mcp.example/s/${secret}/mcp` }],
  ['a command', { command: `/opt/${secret}/server`, args: [] }],
  [
    'a nested field',
    { url: 'https://mcp.example/mcp', auth: { clientId: secret, scopes: ['read', secret] } },
  ],
])('a secret in %s is masked, and saving what was read keeps it [C18] [d.6-6]', async (_where, entry) => {
  const mcpServers = { one: { ...commons, ...entry } }
  expect((await ada.post(paths.config, { mcpServers })).status).toBe(200)
  const masked = await (await ada.get(`${paths.config}?masked=1`)).text()
  expect(canaryIn(masked)).toBeUndefined()
  expect((await ada.post(paths.config, masked)).status).toBe(200)
  expect(await read()).toMatchObject({ mcpServers, version: 2 })
})

test('unknown fields are not saved, so nothing of them is shown', async () => {
  const unknown = { ...remote, note: secret, nested: { deep: [secret] } }
  const response = await ada.post(paths.config, { mcpServers: { one: unknown } })
  expect((await response.json()).warnings).toHaveLength(2)
  expect(await read()).toMatchObject({ mcpServers: { one: remote } })
  expect(await (await ada.get(paths.config)).text()).not.toContain('note')
})

test.each<[string, object, object, string, string]>([
  [
    'the host of a URL',
    remote,
    { ...remote, url: 'https://evil.example/mcp', headers: { Authorization: kept } },
    'https://mcp.example',
    'https://evil.example',
  ],
  [
    'the scheme of a URL',
    remote,
    { ...remote, url: 'http://mcp.example/mcp', headers: { Authorization: kept } },
    'https://mcp.example',
    'http://mcp.example',
  ],
  [
    'the port of a URL',
    remote,
    { ...remote, url: 'https://mcp.example:8443/mcp', headers: { Authorization: kept } },
    'https://mcp.example',
    'https://mcp.example:8443',
  ],
  [
    'a command',
    program,
    { ...program, command: 'bunx', args: ['-y', 'some-server', kept], env: { KEY: kept } },
    'npx -y some-server …',
    'bunx -y some-server …',
  ],
  [
    'a package',
    program,
    { ...program, args: ['-y', 'evil-server'], env: { KEY: kept } },
    'npx -y some-server …',
    'npx -y evil-server',
  ],
  [
    'the issuer of a sign-in',
    signingIn,
    { ...signingIn, auth: { ...signingIn.auth, clientSecret: kept, tokenUrl: 'https://evil.example/token' } },
    'https://mcp.example, signing in at https://issuer.example',
    'https://mcp.example, signing in at https://evil.example',
  ],
])(
  'after a change of %s nothing is saved or sent before the person agreed',
  async (_what, entry, edited, from, to) => {
    await ada.post(paths.config, { mcpServers: { one: entry } })
    const request = { mcpServers: { one: edited } }
    const refused = await ada.post(paths.config, request)
    expect(refused.status).toBe(422)
    const problem: Problem = await refused.json()
    expect(problem).toMatchObject({
      code: 'destination_unconfirmed',
      destinations: [{ server: 'one', from, to, fields: expect.any(Array) }],
    })
    expect(problem.issues?.[0]?.message).toContain(`is for ${from} and would be sent to ${to}`)
    expect(await read()).toEqual({ mcpServers: { one: entry }, version: 1 })

    const elsewhere = [{ ...problem.destinations?.[0], to: 'https://mcp.example' }]
    for (const confirmedDestinations of [[], elsewhere, [{ ...problem.destinations?.[0], fields: [] }]])
      expect((await ada.post(paths.config, { ...request, confirmedDestinations })).status).toBe(422)
    expect((await read()).version).toBe(1)

    const agreed = { ...request, confirmedDestinations: problem.destinations }
    expect((await ada.post(paths.config, agreed)).status).toBe(200)
    const { mcpServers } = await read()
    expect(JSON.stringify(mcpServers)).toContain(secret)
    expect(JSON.stringify(mcpServers)).not.toContain('"kept"')
  },
)

test('a value that is entered again needs no agreement, and neither does another path of the same host', async () => {
  await ada.post(paths.config, { mcpServers: { one: remote } })
  const entered = {
    ...remote,
    url: 'https://other.example/mcp',
    headers: { Authorization: canary('entered') },
  }
  expect((await ada.post(paths.config, { mcpServers: { one: entered } })).status).toBe(200)
  const path = { ...remote, url: 'https://mcp.example/v2/mcp', headers: { Authorization: kept } }
  expect((await ada.post(paths.config, { mcpServers: { one: path } })).status).toBe(200)
  expect((await read()).mcpServers['one']).toEqual({ ...path, headers: remote.headers })
})

test.each<[string, object]>([
  ['another header', { ...remote, headers: { 'X-Other': kept } }],
  ['a header beside it', { ...remote, headers: { Authorization: kept, 'X-Other': kept } }],
  ['the URL', { ...remote, url: kept, headers: { 'X-Url': kept } }],
  ['another field', { ...remote, auth: { clientSecret: kept } }],
  ['an inherited name', { ...remote, headers: { constructor: kept } }],
])('a saved value does not move to %s, and nothing confirms that', async (_where, edited) => {
  await ada.post(paths.config, { mcpServers: { one: remote } })
  const request = {
    mcpServers: { one: edited },
    confirmedDestinations: [
      { server: 'one', fields: ['/headers/X-Other'], from: 'https://mcp.example', to: 'https://mcp.example' },
    ],
  }
  const refused = await ada.post(paths.config, request)
  expect(refused.status).toBe(422)
  expect(await refused.json()).toMatchObject({ code: 'invalid_request' })
  expect((await read()).version).toBe(1)
})

test.each<[string, readonly unknown[]]>([
  ['fewer arguments', ['--token', kept]],
  ['more arguments', ['--token', kept, '--key', kept, kept]],
  ['another flag', ['--url', kept, '--key', kept]],
  ['a flag between', ['--token', '--verbose', kept, '--key', kept]],
  ['the secrets first', [kept, '--token', kept, '--key']],
])('of reordered arguments with %s, no secret comes after another flag', async (_what, args) => {
  const before = { ...commons, command: 'x', args: ['--token', canary('token'), '--key', canary('key')] }
  await ada.post(paths.config, { mcpServers: { one: before } })
  const request: unknown = { mcpServers: { one: { ...before, args } } }
  const first = await ada.post(paths.config, request)
  expect(first.status).toBe(422)
  const { destinations: confirmedDestinations }: Problem = await first.json()
  const second = await ada.post(paths.config, { ...(request as SaveConfigRequest), confirmedDestinations })
  const saved = ((await read()).mcpServers['one'] as typeof before).args
  for (const [flag, value] of [
    ['--token', canary('token')],
    ['--key', canary('key')],
  ])
    expect(saved.includes(value ?? '') ? saved[saved.indexOf(value ?? '') - 1] : flag).toBe(flag)
  expect(second.status === 200).toBe(args.length === 2)
})

test('two lists of scopes of different length share no values', async () => {
  const scoped = (scopes: readonly unknown[]): object => ({
    mcpServers: { one: { ...signingIn, auth: { ...signingIn.auth, scopes } } },
  })
  await ada.post(paths.config, scoped(['read', 'write']))
  expect((await ada.post(paths.config, scoped([kept]))).status).toBe(422)
  expect((await ada.post(paths.config, scoped([kept, kept]))).status).toBe(200)
})

test('a reference stands for texts only, and in fields that can be saved', async () => {
  await ada.post(paths.config, { mcpServers: { one: program } })
  for (const field of ['cwd', 'envFile', 'type', 'disabled', 'timeouts', 'args', 'env']) {
    const refused = await ada.post(paths.config, { mcpServers: { one: { ...program, [field]: kept } } })
    expect([field, refused.status]).toEqual([field, 422])
  }
})

async function read(): Promise<ConfigResponse> {
  return (await ada.get(paths.config)).json()
}
