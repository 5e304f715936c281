import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { loopbackAuthProvider, type LoopbackAuthProviderOptions } from '../../../src/auth-node.ts'
import { openBrowser, openerOf } from '../../../src/auth/loopback/open-browser.ts'
import { authorizationIn, connectIn, followed } from '../fixtures/people.ts'
import { type AuthWorld, startAuthWorld } from '../fixtures/auth-world.ts'
import { eventually } from '../../support/eventually.ts'

const clientMetadata = { client_name: 'a program' }

/** A browser that goes where the authorization server sends it, and what it saw there. */
function browsing(pages: Response[] = []): (url: URL) => Promise<boolean> {
  return async (url) => {
    void fetch(url).then((page) => pages.push(page))
    return true
  }
}

function silent(options: Partial<LoopbackAuthProviderOptions> = {}): LoopbackAuthProviderOptions {
  return { clientMetadata, print: () => undefined, input: new PassThrough(), ...options }
}

test('a program opens the browser, waits on this machine, and goes on when the person is back', async () => {
  await using world = await startAuthWorld()
  const pages: Response[] = []
  const provider = loopbackAuthProvider(silent({ openBrowser: browsing(pages) }))
  const connection = await connectIn(world, authorizationIn(world, provider))
  await connection.close()
  await eventually(() => pages).toHaveLength(1)
  const [page] = pages
  expect(page?.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await page?.text()).toContain('You can close this window')
  const redirect = new URL(world.at('authorization')[0]?.parameters.get('redirect_uri') ?? '')
  expect(redirect.hostname).toBe('127.0.0.1')
  await expect(fetch(redirect)).rejects.toThrow('fetch failed')
})

test('the next sign-in comes back to the same port, so that the registration stays good', async () => {
  await using world = await startAuthWorld()
  const authorization = authorizationIn(world, loopbackAuthProvider(silent({ openBrowser: browsing() })))
  await (await connectIn(world, authorization)).close()
  await authorization.revoke()
  world.accepted.clear()
  await (await connectIn(world, authorization)).close()
  expect(world.count('authorization')).toBe(2)
  expect(world.count('registration')).toBe(1)
})

test('without a browser the address is printed and the one that it ended at can be pasted', async () => {
  await using world = await startAuthWorld()
  const input = new PassThrough()
  const lines: string[] = []
  const print = (line: string): void => void lines.push(line)
  const open = async (): Promise<boolean> => false
  const provider = loopbackAuthProvider({ clientMetadata, print, input, openBrowser: open })
  const connecting = connectIn(world, authorizationIn(world, provider))
  await eventually(() => lines.length).toBe(2)
  const [address = ''] = /http\S+/.exec(lines[0] ?? '') ?? []
  input.write('http://127.0.0.1/callback?code=x&state=y\n\n')
  await eventually(() => lines.at(-1)).toContain('not the callback URL')
  input.write(`  ${await followed(address)}  \n`)
  await (await connecting).close()
})

test('a person may sign in for several servers at once', async () => {
  await using one = await startAuthWorld()
  await using other = await startAuthWorld()
  const addresses: URL[] = []
  const open = async (url: URL): Promise<boolean> => addresses.push(url) > 0
  const provider = loopbackAuthProvider(silent({ openBrowser: open }))
  const connecting = [one, other].map((world) => connectIn(world, authorizationIn(world, provider)))
  await eventually(() => addresses).toHaveLength(2)
  for (const address of addresses.toReversed()) await fetch(address)
  for (const connection of await Promise.all(connecting)) await connection.close()
})

test('nobody but the person who was sent away can come back, by no other name of this machine, advisory [G1]', async () => {
  await using world = await startAuthWorld()
  let address: URL | undefined
  const open = async (url: URL): Promise<boolean> => {
    address = url
    return true
  }
  const provider = loopbackAuthProvider(silent({ openBrowser: open }))
  const connecting = connectIn(world, authorizationIn(world, provider))
  await eventually(() => address).toBeDefined()
  const redirect = address?.searchParams.get('redirect_uri') ?? ''
  const state = address?.searchParams.get('state') ?? ''
  const attempts = [
    fetch(`${redirect}?code=stolen&state=guessed`),
    fetch(`${redirect}?code=stolen`),
    fetch(new URL('/elsewhere', redirect)),
    fetch(`${redirect}?code=stolen&state=${state}`, { method: 'POST' }),
    ...['https://evil.example', 'null', new URL(redirect).origin].map((origin) =>
      fetch(`${redirect}?code=stolen&state=${state}`, { headers: { origin } }),
    ),
  ]
  for (const attempt of attempts) expect((await attempt).status).toBe(404)
  const { port, host } = new URL(redirect)
  const crafted = [
    [`/callback?code=stolen&state=${state}`, `made-up.example:${port}`],
    [`/callback?code=stolen&state=${state}`, '127.0.0.1'],
    [`/callback?code=stolen&state=${state}`, ''],
    [`/callback?code=stolen&state=${state}`, `127.0.0.1.evil.example:${port}`],
    [`http://made-up.example/callback?code=stolen&state=${state}`, host],
    ['//', host],
    ['//[', host],
    ['http://[', host],
  ] as const
  for (const [target, name] of crafted) expect(await askedRaw(Number(port), target, name)).toContain(' 404 ')
  expect(world.count('token')).toBe(0)
  await fetch(address ?? '')
  await (await connecting).close()
})

test('a connection that a browser opens and never uses is let go with the sign-in', async () => {
  await using world = await startAuthWorld()
  let unused: Promise<string> | undefined
  const open = async (url: URL): Promise<boolean> => {
    const { port } = new URL(url.searchParams.get('redirect_uri') ?? '')
    const socket = connect(Number(port), '127.0.0.1')
    unused = text(socket)
    socket.once('connect', () => void fetch(url))
    return true
  }
  const provider = loopbackAuthProvider(silent({ openBrowser: open }))
  await (await connectIn(world, authorizationIn(world, provider))).close()
  expect(await unused).toBe('')
})

test('a person who takes too long, or is not waited for, is given up and nothing is left listening', async () => {
  await using world = await startAuthWorld()
  let shown = 0
  const open = async (): Promise<boolean> => ++shown > 0
  const slow = loopbackAuthProvider(silent({ openBrowser: open, timeoutMs: 20 }))
  await expect(connectIn(world, authorizationIn(world, slow))).rejects.toMatchObject({
    code: 'timeout',
    stage: 'authorization',
  })
  const abort = new AbortController()
  const unwanted = loopbackAuthProvider(silent({ openBrowser: open }))
  const connecting = connectIn(world, authorizationIn(world, unwanted), { signal: abort.signal })
  await eventually(() => shown).toBe(2)
  abort.abort('no time')
  await expect(connecting).rejects.toBe('no time')
  await eventually(() => isListening(world)).toBe(false)
})

test('a port of the host’s choice is used if it is free', async () => {
  await using world = await startAuthWorld()
  const taken = Number(new URL(world.serverUrl).port)
  const provider = loopbackAuthProvider(silent({ openBrowser: browsing(), port: taken }))
  await (await connectIn(world, authorizationIn(world, provider))).close()
  const redirect = world.at('authorization')[0]?.parameters.get('redirect_uri') ?? ''
  expect(new URL(redirect).port).not.toBe(String(taken))
})

// Only here is the browser asked for by a program that a test can stand in for.
test.runIf(process.platform === 'linux')(
  'the system is asked for its browser without a shell, advisory [H1]',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'toolbridge-browser-'))
    const { PATH, DISPLAY } = process.env
    const told = join(folder, 'told')
    await writeFile(
      join(folder, 'xdg-open'),
      `#!/bin/sh\nprintf '%s|' "$@" > ${told}.part\nmv ${told}.part ${told}\n`,
    )
    await chmod(join(folder, 'xdg-open'), 0o755)
    try {
      Object.assign(process.env, { PATH: `${folder}:${PATH}`, DISPLAY: ':0' })
      const url = new URL('https://as.example/authorize?a=1&b=$(touch+oops)&c=`touch`;d')
      expect(await openBrowser(url)).toBe(true)
      await eventually(() => readFile(told, 'utf8').catch(() => '')).not.toBe('')
      expect(await readFile(told, 'utf8')).toBe(`${url.href}|`)
      expect(await openBrowser(new URL(`https://as.example/?scope=${'a'.repeat(3_000_000)}`))).toBe(false)
      process.env['PATH'] = folder.replace('toolbridge', 'nowhere')
      expect(await openBrowser(url)).toBe(false)
    } finally {
      process.env['PATH'] = PATH
      if (DISPLAY === undefined) delete process.env['DISPLAY']
      await rm(folder, { recursive: true })
    }
  },
)

const shellWords = 'a=1&calc&b=$(calc)&c=`calc`&d=;calc|calc&e="&calc&"^&f=%PATH%'

test.each(['linux', 'darwin', 'win32'] as const)(
  'on %s the address is one argument of a program that is no shell, advisory [H1]',
  (platform) => {
    const { DISPLAY } = process.env
    process.env['DISPLAY'] = ':0'
    const url = new URL(`https://as.example/authorize?${shellWords}`)
    const [program = '', ...args] = openerOf(url, platform)
    if (DISPLAY === undefined) delete process.env['DISPLAY']
    expect(program).toMatch(/^(?:xdg-open|open|rundll32)$/)
    expect(args.filter((arg) => arg.includes('calc'))).toEqual([url.href])
    for (const address of notOfTheWeb) expect(openerOf(new URL(address), platform)).toEqual([])
  },
)

const notOfTheWeb = [
  'file:///C:/Windows/System32/calc.exe',
  'file://attacker.example/share/calc.exe',
  'javascript:alert(1)',
  'data:text/html,x',
  'search-ms:query=x',
  'ms-settings:display',
  'vbscript:x',
  'ftp://as.example/',
  'x-apple.systempreferences:x',
  'toolbridge:x',
]

test('a server cannot have anything opened but a web address, advisory [H1]', async () => {
  const opened: string[] = []
  const open = async (url: URL): Promise<boolean> => opened.push(url.href) > 0
  for (const endpoint of [...notOfTheWeb, '/bin/sh', '\\\\attacker\\share', 'calc.exe', '$(calc)']) {
    await using world = await startAuthWorld()
    world.words.serverMetadata['authorization_endpoint'] = endpoint
    const connecting = connectIn(
      world,
      authorizationIn(world, loopbackAuthProvider(silent({ openBrowser: open }))),
    )
    await expect(connecting, endpoint).rejects.toMatchObject({ name: 'McpAuthError' })
  }
  expect(opened).toEqual([])
})

/** The answer to a request that no proper client would send. */
async function askedRaw(port: number, target: string, host: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  return text(socket)
}

async function isListening(world: AuthWorld): Promise<boolean> {
  const redirects = world.at('registration').flatMap(({ json }) => json['redirect_uris'] as string[])
  const attempts = await Promise.allSettled(redirects.map((redirect) => fetch(redirect)))
  return attempts.some(({ status }) => status === 'fulfilled')
}
