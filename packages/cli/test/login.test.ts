import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { paths } from '@toolbridge/api'
import type { Lockbox } from '@toolbridge/lockbox'
import {
  type AuthorizationFixture,
  startAuthorizationFixture,
  visit,
} from '@toolbridge/testkit/authorization'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ListeningGateway, listenTestGateway } from '../../gateway/test/support/listening.ts'
import { openTestLockbox } from '../../gateway/test/support/lockbox.ts'
import { savedInMemory } from '../../gateway/test/support/specs.ts'
import { untilServer } from '../../gateway/test/support/waiting.ts'
import { peopleOfIssuer } from '../../gateway/test/support/real-issuer.ts'
import { Interruptions } from '../src/interruptions.ts'
import { useFolder } from './folders.ts'
import { runInProcess } from './in-process.ts'

let lockbox: Lockbox
let fixture: AuthorizationFixture
let listening: ListeningGateway
beforeAll(async () => {
  ;[lockbox, fixture] = await Promise.all([
    openTestLockbox(),
    startAuthorizationFixture({ jwtAccessTokens: true }),
  ])
  listening = await listenTestGateway(async (url) => ({
    lockbox,
    people: await peopleOfIssuer(fixture, { lockbox, redirectUri: `${url}/` }),
  }))
})
afterAll(async () => {
  await listening[Symbol.asyncDispose]()
  await fixture.close()
  await lockbox.close()
})

const folder = useFolder()
type Finished = Awaited<ReturnType<typeof runInProcess>>

const env = (): Readonly<Record<string, string>> => ({ HOME: folder.path, TOOLBRIDGE_DATA: folder.path })

const run = (...args: readonly string[]): Promise<Finished> => runInProcess(args, { env: env() })

const keys = (...args: readonly string[]): Promise<Finished> =>
  run('keys', ...args, '--gateway', listening.url)

/** Signs in: `answer` gets the printed address, and returns what is typed. */
function logIn(answer: (address: string) => Promise<string> = returning): Promise<Finished> {
  const stdin = new PassThrough()
  let [stderr, isAnswered] = ['', false]
  const onError = (text: string): void => {
    stderr += text
    const [, address] = /To sign in, open (\S+)\n/.exec(stderr) ?? []
    if (address === undefined || isAnswered) return
    isAnswered = true
    void answer(address).then((typed) => stdin.end(typed))
  }
  return runInProcess(['login', listening.url, '--no-browser'], { env: env(), stdin, onError })
}

/** The browser is on this machine and goes where it is sent. */
async function returning(address: string): Promise<string> {
  await (await fetch(await visit(address))).text()
  return ''
}

test('a person signs in at the issuer of a gateway, manages keys there, and signs out', async () => {
  expect(await logIn()).toMatchObject({
    code: 0,
    stdout: `Signed in to ${listening.url} as ${fixture.issuer}#ada.\n`,
  })
  const stored = join(folder.path, 'gateways')
  const [file = ''] = readdirSync(stored)
  expect([statSync(stored).mode & 0o777, statSync(join(stored, file)).mode & 0o777]).toEqual([0o700, 0o600])

  expect((await run('login')).stdout).toBe(`${listening.url}  as ${fixture.issuer}#ada\n`)
  const created = await keys('create', 'laptop', '--scope', 'mcp')
  expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^tbk_/) })
  const listed = await keys('list')
  expect(listed.stdout).toMatch(/ {2}laptop {2}of \S+#ada {2}mcp {2}/)
  expect((await keys('revoke', listed.stdout.split(' ')[0] ?? '')).code).toBe(0)
  expect(await keys('list', '--everyone')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('administrators'),
  })

  expect(await run('logout', listening.url)).toMatchObject({
    code: 0,
    stdout: `Signed out of ${listening.url}.\n`,
  })
  expect(readdirSync(stored)).toEqual([])
  expect(await lockbox.bearerTokens.list(`${fixture.issuer}#ada`, 'sign-in')).toEqual([])
  expect(await keys('list')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`Sign in with: toolbridge login ${listening.url}`),
  })
})

test('another sign-in replaces the one before, and signing out everywhere ends those of browsers too', async () => {
  const person = `${fixture.issuer}#ada`
  await logIn()
  await logIn(async (address) => `${(await visit(address)).href}\n`)
  const { token } = await listening.gateway.services.tokens.signIn({ id: person, role: 'member' })
  expect(await lockbox.bearerTokens.list(person, 'sign-in')).toHaveLength(2)
  expect((await run('logout', listening.url, '--everywhere')).code).toBe(0)
  expect(await lockbox.bearerTokens.list(person, 'sign-in')).toEqual([])
  expect((await listening.gateway.with(token).get(paths.inbox)).status).toBe(401)
})

test('commands use the tools of a gateway with the sign-in, until it is revoked', async () => {
  const person = { id: `${fixture.issuer}#ada`, role: 'member' } as const
  const { token } = await listening.gateway.services.tokens.signIn(person)
  const ada = listening.gateway.with(token)
  await ada.post(paths.config, { mcpServers: { mine: savedInMemory('hello') } })
  await untilServer(ada, 'mine', 'ready')
  await logIn()
  const tools = ['tools', '--http', `${listening.url}/mcp`]
  expect(await run(...tools)).toMatchObject({ code: 0, stdout: expect.stringContaining('mine__hello') })
  await listening.gateway.services.tokens.revokeAll(person.id, 'sign-in')
  expect(await run(...tools)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(`sign in with: toolbridge login ${listening.url}`),
  })
})

test('a sign-in that the person denies, or of another issuer, is refused and nothing is stored', async () => {
  const denied = await logIn(async (address) => {
    await (await fetch(await visit(address, { decision: 'deny' }))).text()
    return ''
  })
  expect(denied).toMatchObject({ code: 3, stderr: expect.stringContaining('refused the sign-in') })
  const mixedUp = await logIn(async (address) => {
    const returned = await visit(address)
    returned.searchParams.set('iss', 'https://evil.example')
    return `${returned.href}\n`
  })
  expect(mixedUp).toMatchObject({ code: 3, stderr: expect.stringContaining('another authorization server') })
  expect(() => readdirSync(join(folder.path, 'gateways'))).toThrow('ENOENT')
})

test.each(['file:///etc/passwd', 'http://login.example/authorize', 'not a URL'])(
  'a gateway cannot have the browser open %s',
  async (authorizationEndpoint) => {
    const settings = { issuer: 'https://login.example', clientId: 'console', scope: 'openid' }
    const answer = JSON.stringify({ issuer: { ...settings, authorizationEndpoint } })
    const gateway = createServer((_request, response) => response.end(answer)).listen(0, '127.0.0.1')
    await once(gateway, 'listening')
    const interruptions = new Interruptions(() => undefined)
    const onError = (text: string): void => {
      if (text.includes('To sign in')) interruptions.end()
    }
    const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`
    const stdin = new PassThrough()
    const login = runInProcess(['login', url, '--no-browser'], { env: env(), stdin, interruptions, onError })
    const { code, stderr } = await login
    gateway.close()
    expect([code, stderr]).toEqual([3, expect.stringContaining('authorization_endpoint')])
    expect(stderr).not.toContain('To sign in')
  },
)

test('a sign-in that was revoked is not used any longer, and the way to sign in is named', async () => {
  await logIn()
  await listening.gateway.as('local').delete(paths.person(`${fixture.issuer}#ada`))
  expect(await keys('list')).toMatchObject({ code: 2, stderr: expect.stringContaining('toolbridge login') })
  expect(await run('logout', listening.url, '--everywhere')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('the sign-in had expired'),
  })
})

test.each([
  [['logout'], 'missing gateway'],
  [['login', 'tools.example'], 'invalid gateway'],
  [['login', 'https://ada:secret@tools.example'], 'invalid gateway'],
  [['logout', 'https://tools.example/mcp'], 'invalid gateway'],
  [['keys', 'list', '--gateway', 'http://tools.example'], 'invalid gateway'],
])('%j is refused', async (args, message) => {
  const { code, stderr } = await run(...args)
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  expect(stderr).not.toContain('secret')
})

test('a gateway that does not respond, or has no issuer, is named', async () => {
  const nothing = await run('login', 'http://127.0.0.1:1')
  expect(nothing).toMatchObject({ code: 3, stderr: expect.stringContaining('does not respond as a gateway') })
  await using local = await listenTestGateway({ lockbox })
  expect(await run('login', local.url)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('toolbridge open'),
  })
})
