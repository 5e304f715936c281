import { chmod, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { type InboxResponse, paths, type SignInResponse } from '@toolbridge/api'
import { localAuthority } from '@toolbridge/bridge/config'
import { McpClient } from '@toolbridge/client'
import { openKeyring, openLockbox } from '@toolbridge/lockbox'
import { openPgliteFromImage } from '@toolbridge/testkit/databases'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Gateway, type GatewayOptions, requestSignInUrl, startGateway } from '../src/index.ts'
import { findRunningGateway } from '../src/reuse.ts'
import { openToken } from '../src/sign-in/token-file.ts'
import { readEvents } from './support/events.ts'
import { connectHost } from './support/host.ts'
import { childProcesses } from './support/processes.ts'
import { statusOf } from './support/raw-request.ts'
import { operatorServer } from './support/specs.ts'
import { untilHang } from './support/waiting.ts'

let dataFolder: string
beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'gateway-'))
  const { location } = await openPgliteFromImage()
  await rename(location, join(dataFolder, 'lockbox'))
})
afterAll(() => rm(dataFolder, { recursive: true, force: true }))

const start = (options: Partial<GatewayOptions> = {}): Promise<Gateway> =>
  startGateway({ dataFolder, permissions: { mode: 'allow' }, ...options })

describe('a gateway', () => {
  let gateway: Gateway
  beforeAll(async () => {
    expect(await requestSignInUrl(dataFolder)).toBeUndefined()
    gateway = await start({
      allowedHostHeaders: ['Tools.Example'],
      hostFiles: { env: {}, cwd: dataFolder, home: dataFolder },
      operatorServers: [operatorServer('odd', 'hostile'), operatorServer('elicit', 'elicit')],
    })
  })
  afterAll(() => gateway.close())

  test('signs in once by the printed address; the key and the token for hosts are for their owner’s eyes', async () => {
    const { origin, hash } = new URL(gateway.signInUrl())
    expect(origin).toBe(gateway.url)
    expect(gateway.signInUrl()).not.toBe(gateway.signInUrl())
    const code = hash.slice('#code='.length)
    expect((await signIn(gateway, code)).status).toBe(200)
    expect((await signIn(gateway, code)).status).toBe(401)
    expect((await readFile(gateway.mcpTokenFile, 'utf8')).trim()).toBe(gateway.mcpToken)
    for (const file of ['key', 'mcp-token']) {
      expect((await stat(join(dataFolder, file))).mode & 0o777).toBe(0o600)
    }
  })

  test('gives a new sign-in URL to who can read its data folder, and to nobody else', async () => {
    const address = new URL((await requestSignInUrl(dataFolder)) ?? '')
    expect(address.origin).toBe(gateway.url)
    expect((await signIn(gateway, address.hash.slice('#code='.length))).status).toBe(200)
    expect((await stat(join(dataFolder, 'owner-token'))).mode & 0o777).toBe(0o600)
    const headers = await bearerHeaders(gateway)
    const { token } = JSON.parse(await readFile(join(dataFolder, 'owner-token'), 'utf8'))
    const owner = { authorization: `Bearer ${token}` }
    expect((await post(gateway, paths.signInCode, headers, {})).status).toBe(401)
    expect(
      (await post(gateway, paths.signInCode, { authorization: `Bearer ${gateway.mcpToken}` }, {})).status,
    ).toBe(401)
    expect((await fetch(gateway.url + paths.inbox, { headers: owner })).status).toBe(401)
    expect((await fetch(gateway.url + paths.mcp, { method: 'POST', headers: owner })).status).toBe(401)
  })

  test('does not look into files of MCP hosts if others can reach it', async () => {
    const response = await fetch(gateway.url + paths.found, { headers: await bearerHeaders(gateway) })
    expect(response.status).toBe(404)
  })

  test('refuses a request that names the port by another host', async () => {
    const { port } = new URL(gateway.url)
    const status = (host: string): Promise<number> => statusOf(Number(port), host)
    expect(await status(`127.0.0.1:${port}`)).toBe(200)
    expect(await status(`localhost:${port}`)).toBe(200)
    expect(await status('tools.example')).toBe(200)
    expect(await status(`evil.example:${port}`)).toBe(403)
    expect(await status('localhost:1')).toBe(403)
  })

  test('closing ends streams, calls and sessions, and leaves no process, no port and no sign-in URL', async () => {
    const headers = await bearerHeaders(gateway)
    const events = readEvents(await fetch(gateway.url + paths.events, { headers }))
    await events.next('hello')
    await using host = await connectHost(gateway.url, { token: gateway.mcpToken })
    const hosted = host.client.callTool({ name: 'elicit__greet_me' }).catch((error: unknown) => error)
    const call = post(gateway, paths.call, headers, { tool: 'mcp://odd/hang' })
    await vi.waitFor(async () => expect(await openQuestions(gateway, headers)).toHaveLength(1), untilHang)
    expect((await childProcesses()).length).toBeGreaterThanOrEqual(2)

    await Promise.all([gateway.close(), gateway.close()])
    expect(await childProcesses()).toEqual([])
    expect((await call).status).toBe(503)
    expect(await hosted).toBeInstanceOf(Error)
    while ((await events.frame()) !== undefined);
    await expect(fetch(gateway.url + paths.health)).rejects.toThrow()
    expect(await requestSignInUrl(dataFolder)).toBeUndefined()
  })
})

// Windows has no such permissions of files.
test.skipIf(process.platform === 'win32')(
  'a folder or a token that other users could have written is refused',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'planted-'))
    try {
      await writeFile(join(folder, 'mcp-token'), canary('planted').padEnd(40, 'x'))
      await chmod(folder, 0o777)
      await expect(start({ dataFolder: folder })).rejects.toThrow(`run chmod 700 ${folder}`)
      await chmod(folder, 0o700)
      await chmod(join(folder, 'mcp-token'), 0o666)
      await expect(openToken(join(folder, 'mcp-token'))).rejects.toThrow('delete it to create a new one')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
)

describe('after a restart, a gateway', () => {
  const options = {
    permissions: { mode: 'ask' },
    operatorServers: [operatorServer('hello', 'hello')],
  } as const
  /** Nobody signs in there, so it is not asked for anything. */
  const oidc = { issuer: 'https://login.example', audience: 'gateway' }
  const mine = { command: 'mine' }
  let [tokenBefore, statusOfProgram] = ['', 0]
  let gateway: Gateway
  beforeAll(async () => {
    const first = await start({ ...options, oidc })
    const saving = await post(first, paths.config, await bearerHeaders(first), { mcpServers: { mine } })
    statusOfProgram = saving.status
    tokenBefore = first.mcpToken
    await allowFromNowOn(first)
    await first.close()
    const keyring = await openKeyring({ file: join(dataFolder, 'key') })
    const lockbox = await openLockbox({ location: join(dataFolder, 'lockbox'), keyring })
    await lockbox.inbox.ask('local', { id: 'left-over', payload: { kind: 'approval' } })
    await lockbox.close()
    gateway = await start({ ...options, publicUrl: 'https://Public.Example' })
  })
  afterAll(() => gateway.close())

  test('at a public URL signs in there, accepts its name, and saves no program', async () => {
    expect(new URL(gateway.signInUrl()).origin).toBe('https://public.example')
    expect(new URL((await requestSignInUrl(dataFolder)) ?? '').origin).toBe('https://public.example')
    expect(gateway.publicUrl).toBe('https://public.example')
    expect(await statusOf(Number(new URL(gateway.url).port), 'public.example')).toBe(200)
    const headers = await bearerHeaders(gateway)
    expect((await post(gateway, paths.config, headers, { mcpServers: { mine } })).status).toBe(422)
  })

  test('where people of an issuer could sign in, also saved no program', () => {
    expect(statusOfProgram).toBe(422)
  })

  test('lets commands of its user call the servers that it runs, and nobody without the owner token', async () => {
    const connect = await vi.waitUntil(async () => {
      const running = await findRunningGateway(dataFolder)
      return running?.connectorTo(operatorServer('hello', 'hello'), localAuthority())
    }, untilHang)
    const client = new McpClient(connect())
    await client.connect()
    const { content } = await client.callTool('hello', { name: 'Ada' })
    expect(content).toEqual([{ type: 'text', text: 'Hello, Ada!' }])
    await client.close()
    const { servers } = (await (await fetch(`${gateway.url}/reuse?nonce=1`)).json()) as { servers: string[] }
    const relay = `/reuse/${servers[0]}`
    expect((await post(gateway, relay, await bearerHeaders(gateway), {})).status).toBe(401)
    expect((await post(gateway, relay, { authorization: `Bearer ${gateway.mcpToken}` }, {})).status).toBe(401)
  })

  test('has withdrawn what the former process asked', async () => {
    expect(await openQuestions(gateway, await bearerHeaders(gateway))).toEqual([])
  })

  test('has the same token for hosts, which opens nothing but the MCP endpoint', async () => {
    expect(gateway.mcpToken).toBe(tokenBefore)
    const headers = { authorization: `Bearer ${gateway.mcpToken}` }
    expect((await fetch(gateway.url + paths.config, { headers })).status).toBe(401)
    await using host = await connectHost(gateway.url, { token: gateway.mcpToken })
    await vi.waitFor(async () => expect((await host.client.listTools()).tools).toHaveLength(2), untilHang)
  })

  test('allows what a person allowed from now on', async () => {
    expect(await callHello(gateway)).toMatchObject({ content: [{ text: 'Hello, world!' }] })
  })
})

async function callHello(gateway: Gateway): Promise<unknown> {
  await using host = await connectHost(gateway.url, { token: gateway.mcpToken })
  return await host.client.callTool({ name: 'hello__hello' })
}

async function allowFromNowOn(gateway: Gateway): Promise<void> {
  const headers = await bearerHeaders(gateway)
  const call = callHello(gateway)
  const [asked] = await vi.waitUntil(async () => {
    const open = await openQuestions(gateway, headers)
    return open.length > 0 && open
  }, untilHang)
  await post(gateway, paths.answer(asked?.id ?? ''), headers, { action: 'accept', decision: 'always' })
  await call
}

test('a start that fails half-way or is aborted closes what it opened', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const address = taken.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  await expect(start({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  taken.close()
  await writeFile(join(dataFolder, 'mcp-token'), 'short')
  await expect(start()).rejects.toThrow('mcp-token')
  await rm(join(dataFolder, 'mcp-token'))
  const leaving = new AbortController()
  const starting = start({ signal: leaving.signal }).catch((error: unknown) => error)
  leaving.abort(new Error('changed my mind'))
  expect(await starting).toBe(leaving.signal.reason)
  // The store admits one process at a time: it was let go.
  const gateway = await start({ port })
  expect(gateway.url).toBe(`http://127.0.0.1:${port}`)
  await gateway.close()
})

test('invalid rules and an invalid database URL are rejected before anything is opened', async () => {
  const folder = join(dataFolder, 'never-made')
  const refusals = await Promise.all(
    [
      { permissions: { mode: 'allow', deny: ['hello__*'] } as const },
      { databaseUrl: 'not an address' },
      { databaseUrl: `postgresq://ann:${canary('password')}@localhost/x` },
      { databaseUrl: `postgres://ann:12/${canary('password')}@localhost/x` },
    ].map((options) => start({ dataFolder: folder, ...options }).catch((error: unknown) => error)),
  )
  for (const error of refusals) {
    expect(error).toMatchObject({ name: 'ConfigError', code: 'config_invalid' })
    expect(inspect(error)).not.toContain('Kanarienvogel')
  }
  await expect(stat(folder)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('a data folder without its key is refused, and gets no new one', async () => {
  await rename(join(dataFolder, 'key'), join(dataFolder, 'key.away'))
  await expect(start()).rejects.toMatchObject({
    code: 'wrong_key',
    message: expect.stringContaining('missing'),
  })
  await rename(join(dataFolder, 'key.away'), join(dataFolder, 'key'))
})

function signIn(gateway: Gateway, code: string): Promise<Response> {
  return post(gateway, paths.signIn, {}, { code })
}

async function bearerHeaders(gateway: Gateway): Promise<Record<string, string>> {
  const code = new URL(gateway.signInUrl()).hash.slice('#code='.length)
  const session: SignInResponse = await (await signIn(gateway, code)).json()
  return { authorization: `Bearer ${session.token}` }
}

function post(
  gateway: Gateway,
  path: string,
  headers: Record<string, string>,
  body: object,
): Promise<Response> {
  return fetch(gateway.url + path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

async function openQuestions(
  gateway: Gateway,
  headers: Record<string, string>,
): Promise<InboxResponse['items']> {
  const { items }: InboxResponse = await (await fetch(gateway.url + paths.inbox, { headers })).json()
  return items
}
