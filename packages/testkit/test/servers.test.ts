import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { fixtureServers, startHttpFixture } from '../src/servers/index.ts'

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

test('every fixture server was built', () => {
  expect(Object.values(fixtureServers).filter((path) => !existsSync(path))).toEqual([])
})

test.each(['hello', 'elicit', 'hostile'] as const)(
  '%s opens a session over stdio and ends with its input',
  async (name) => {
    const { stdout, code } = await run(fixtureServers[name], [], `${JSON.stringify(initialize)}\n`)
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { serverInfo: { name } } })
    expect(code).toBe(0)
  },
)

test('hostile crashes on request with its reason on standard error', async () => {
  const { stderr, code } = await run(fixtureServers.hostile, ['--crash-before-initialize'], '')
  expect(stderr.trim().split('\n')).toHaveLength(2)
  expect(code).toBe(3)
})

test('a server over HTTP listens on a port of its own until it is closed', async () => {
  const fixture = await startHttpFixture('hello')
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const post = (): Promise<Response> =>
    fetch(fixture.url, { method: 'POST', headers, body: JSON.stringify(initialize) })
  const response = await post()
  expect(response.headers.get('mcp-session-id')).toMatch(/./)
  expect(await response.text()).toContain('"name":"hello"')
  await fixture.close()
  await expect(post()).rejects.toThrow()
})

async function run(
  program: string,
  flags: readonly string[],
  input: string,
): Promise<{ stdout: string; stderr: string; code: unknown }> {
  const child = spawn(process.execPath, [program, ...flags])
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { stdout, stderr, code }
}
