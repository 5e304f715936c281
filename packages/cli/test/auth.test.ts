import { spawn } from 'node:child_process'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, type Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import {
  type AuthorizationFixture,
  startAuthorizationFixture,
  visit,
} from '@toolbridge/testkit/authorization'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { useFolder } from './folders.ts'
import { runInProcess } from './in-process.ts'
import { PseudoTerminal } from './pseudo-terminal.ts'
import { hello, linkHello } from './servers.ts'
import { type Finished, program, toolbridge } from './transcript.ts'

let fixture: AuthorizationFixture
beforeAll(async () => {
  fixture = await startAuthorizationFixture()
})
afterAll(() => fixture.close())

const folder = useFolder()

const env = (): Readonly<Record<string, string>> => ({ HOME: folder.path })

function write(): string {
  const file = join(folder.path, 'mcp.json')
  const far = { type: 'http', url: fixture.resource }
  const open = { ...far, auth: { kind: 'none' } }
  writeFileSync(file, JSON.stringify({ mcpServers: { far, near: hello, open } }))
  return file
}

function run(...args: readonly string[]): Promise<Finished> {
  return runInProcess(['--mcp', write(), ...args], { env: env(), transportOf: linkHello })
}

function runBuilt(...args: readonly string[]): Promise<Finished> {
  return toolbridge(['--mcp', write(), ...args], { env: env() })
}

/** Waits in the text of the standard error for the address to sign in at, and types what `answer` makes of it. */
function typing(answer: (address: string) => Promise<string>, stdin: Writable): (text: string) => void {
  let [stderr, isAnswered] = ['', false]
  return (text) => {
    stderr += text
    const [, address] = /To sign in, open (\S+)\n/.exec(stderr) ?? []
    if (address === undefined || isAnswered) return
    isAnswered = true
    void answer(address).then((typed) => stdin.end(typed))
  }
}

/** Signs in on a machine without a browser: `answer` makes of the printed address what is typed. */
function logIn(
  answer: (address: string) => Promise<string>,
  args: readonly string[] = ['--mcp', write(), 'auth', 'login', 'far'],
): Promise<Finished> {
  const stdin = new PassThrough()
  return runInProcess(args, { env: env(), stdin, onError: typing(answer, stdin) })
}

/** The same with the built command, which must also end by itself. */
async function logInBuilt(answer: (address: string) => Promise<string>): Promise<Finished> {
  const child = spawn(process.execPath, [program, '--mcp', write(), 'auth', 'login', 'far'], {
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'] ?? '', ...env() },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stderr.setEncoding('utf8').on('data', typing(answer, child.stdin))
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [code, stdout, stderr] = await Promise.all([closed, text(child.stdout), text(child.stderr)])
  return { code, stdout, stderr }
}

const pasting = async (address: string): Promise<string> => `${(await visit(address)).href}\n`

/** The browser is on this machine and goes where it is sent. */
async function returning(address: string): Promise<string> {
  const response = await fetch(await visit(address))
  expect(await response.text()).toContain('You can close this window')
  return ''
}

test('a server that wants a sign-in is named with the way to sign in, and the others work', async () => {
  const tools = await run('tools')
  expect(tools).toMatchObject({ code: 0, stdout: expect.stringContaining('near__hello') })
  expect(tools.stderr).toMatch(/far: .*signed in; sign in with: toolbridge auth login far/)
  expect(tools.stderr).toContain('set it in its headers')
  const doctor = await run('doctor', '--format', 'json')
  expect(doctor.code).toBe(3)
  expect(doctor.stdout).toContain('"state":"unauthorized"')
  const { stages } = JSON.parse(doctor.stdout).mcp.servers[0]
  expect(stages).toContainEqual(
    expect.objectContaining({
      stage: 'authorization',
      code: 'sign_in_needed',
      fix: 'run: toolbridge auth login far',
    }),
  )
  expect(await run('auth', 'status')).toMatchObject({ code: 0, stdout: 'far  not signed in\n' })
})

test('a command that is suggested is one word for the server, whatever its name', async () => {
  const file = join(folder.path, 'odd.json')
  const odd = { type: 'http', url: fixture.resource }
  writeFileSync(file, JSON.stringify({ mcpServers: { "a'; id #": odd } }))
  const { stderr } = await runInProcess(['tools', '--mcp', file], { env: env() })
  expect(stderr).toContain(String.raw`toolbridge auth login 'a'\''; id #'.`)
})

test('a person who pastes the final address is signed in until they sign out', async () => {
  const login = await logInBuilt(pasting)
  expect(login).toMatchObject({ code: 0, stdout: 'Signed in to far.\n' })
  expect(statSync(join(folder.path, '.toolbridge/auth')).mode & 0o777).toBe(0o700)
  expect(await runBuilt('call', 'far__hello', 'name=Ada')).toMatchObject({
    code: 0,
    stdout: 'Hello, Ada!\n',
  })
  expect(await run('auth', 'login', 'far')).toMatchObject({
    code: 0,
    stdout: 'No sign-in needed for far.\n',
  })
  const doctor = await run('doctor', '--server', 'far')
  expect(doctor).toMatchObject({ code: 0, stdout: expect.stringContaining('  sign-in: signed in\n') })
  const status = await run('auth', 'status', '--format', 'json')
  expect(JSON.parse(status.stdout)).toMatchObject({
    accounts: [{ server: 'far', signedIn: true, issuer: fixture.issuer }],
  })
  expect(await runBuilt('auth', 'logout', 'far')).toMatchObject({
    code: 0,
    stdout: 'Signed out of far.\n',
  })
  expect(await run('auth', 'logout', 'far')).toMatchObject({
    code: 0,
    stdout: 'Not signed in to far.\n',
  })
  expect((await run('call', 'far__hello')).code).toBe(3)
})

test('Ctrl-C at a terminal ends the wait for the sign-in', async () => {
  const args = ['--mcp', write(), 'auth', 'login', 'far', '--no-browser']
  const screen = new PseudoTerminal(args, folder.path, { NO_COLOR: '1' })
  onTestFinished(() => screen.end())
  await screen.shows(/To sign in, open http/)
  screen.type('\u0003')
  expect(await screen.exit).toBe(130)
  expect((await run('auth', 'status')).stdout).toBe('far  not signed in\n')
})

test('a browser on this machine comes back by itself', async () => {
  expect(await logIn(returning)).toMatchObject({ code: 0, stdout: 'Signed in to far.\n' })
})

test('a person who declines is not signed in, and the command says so', async () => {
  const denied = await logIn(async (address) => `${(await visit(address, { decision: 'deny' })).href}\n`)
  expect(denied).toMatchObject({ code: 3, stdout: '' })
  expect(denied.stderr).toContain('refused the sign-in: access_denied')
})

test('a server that nobody can sign in to, or that is not there, is a mistake worth naming', async () => {
  expect(await run('auth', 'login', 'near')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is not reached over HTTP'),
  })
  expect(await run('auth', 'login', 'open')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('its definition disables authorization'),
  })
  expect(await run('auth', 'login', 'gone')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Servers with a sign-in: far'),
  })
  expect((await run('auth')).code).toBe(2)
  expect(existsSync(join(folder.path, '.toolbridge'))).toBe(false)
})

test('a server that is in no configuration is signed in to by its URL', async () => {
  const http = ['--http', fixture.resource]
  const alone = (...args: readonly string[]): Promise<Finished> =>
    runInProcess([...args, ...http], { env: env() })
  expect(await alone('tools')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('sign in with: toolbridge auth login --http <url>'),
  })
  expect(await logIn(pasting, ['auth', 'login', ...http])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Signed in to '),
  })
  expect(await alone('call', 'hello', 'name=Ada')).toMatchObject({ code: 0, stdout: 'Hello, Ada!\n' })
  expect(await alone('auth', 'status')).toMatchObject({ stdout: expect.stringContaining('signed in at') })
  expect(await alone('auth', 'logout')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Signed out'),
  })
  expect(await alone('auth', 'login', 'far')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('expected the name of one server, or one --http <url>'),
  })
})
