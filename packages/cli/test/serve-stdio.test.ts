import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { createMemoryPair, type McpTransport } from '@toolbridge/client'
import { loadFixture } from '@toolbridge/testkit/servers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hello } from './servers.ts'
import { runInProcess } from './in-process.ts'
import { isAlive, programArguments, temporaryFolder } from './transcript.ts'

let folder: ReturnType<typeof temporaryFolder>
let file: string
beforeAll(() => {
  folder = temporaryFolder()
  file = join(folder.path, 'mcp.json')
  const itself = { command: process.execPath, args: [...programArguments, 'serve', '--stdio', '--mcp', file] }
  writeFileSync(file, JSON.stringify({ mcpServers: { hello, itself } }))
})
afterAll(() => folder.remove())

describe('a host that starts toolbridge serve --stdio', () => {
  const client = new Client({ name: 'host', version: '1' })
  let printed = ''
  let pid = 0
  beforeAll(async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [
        ...programArguments,
        'serve',
        '--stdio',
        '--mcp',
        file,
        '--deny',
        'mcp://hello/repeat',
        '--record',
        join(folder.path, 'host.cassette'),
      ],
      env: { PATH: process.env['PATH'] ?? '', HOME: folder.path },
      stderr: 'pipe',
    })
    transport.stderr?.on('data', (text: Buffer) => (printed += text.toString()))
    await client.connect(transport)
    pid = transport.pid ?? 0
  })

  test('gets the tools of every server, also if it asks at once', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('hello__hello')
    expect(client.getServerVersion()).toMatchObject({ name: 'toolbridge' })
  })

  test('calls them, except those that a rule denies', async () => {
    expect(await client.callTool({ name: 'hello__hello', arguments: { name: 'Ada' } })).toMatchObject({
      content: [{ type: 'text', text: 'Hello, Ada!' }],
    })
    expect(await client.callTool({ name: 'hello__repeat', arguments: { text: 'a' } })).toMatchObject({
      isError: true,
    })
  })

  test('is recorded, with the names of the server itself and without secrets', () => {
    const text = readFileSync(join(folder.path, 'host.cassette'), 'utf8')
    expect(text).toContain('"name":"hello","arguments":{"name":"Ada"}')
    expect(text).toContain('Hello, Ada!')
    expect(text).not.toContain(hello.env.KEY)
  })

  test('is not served by itself: a nested one does not start', () => {
    expect(printed).toContain('this is a server of another toolbridge serve --stdio')
  })

  test('ends it by closing the input', async () => {
    expect(isAlive(pid)).toBe(true)
    await client.close()
    await expect.poll(() => isAlive(pid)).toBe(false)
  })
})

test.each([
  [['--port', '0'], '--port is about the gateway'],
  [['--database', 'postgres://a@b/c'], '--database is about the gateway'],
  [['--tools', 'some'], 'invalid --tools "some": expected all, search or code'],
])('%j is refused beside --stdio', async (args, message) => {
  expect(await runInProcess(['serve', '--stdio', '--mcp', file, ...args])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(message),
  })
})

test('a host that ends while servers still start is no error', async () => {
  const mcp = join(folder.path, 'silent.json')
  writeFileSync(mcp, JSON.stringify({ mcpServers: { silent: { command: 'silent' } } }))
  const transportOf = (): McpTransport => createMemoryPair()[0]
  const ended = await runInProcess(['serve', '--stdio', '--mcp', mcp], { transportOf })
  expect(ended).toEqual({ code: 0, stdout: '', stderr: '' })
})

test('--tools code shows a host run_code instead of the tools', async () => {
  const mcp = join(folder.path, 'greeter.json')
  writeFileSync(mcp, JSON.stringify({ mcpServers: { greeter: { command: 'greeter' } } }))
  const createHello = await loadFixture('hello')
  const transportOf = (): McpTransport => {
    const [link, end] = createMemoryPair()
    void createHello().connect(end)
    return link
  }
  const stdin = new PassThrough()
  const send = (message: object): boolean =>
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'host', version: '1' },
  }
  send({ id: 0, method: 'initialize', params })
  send({ id: 1, method: 'tools/list' })
  const onOutput = (text: string): void => void (text.includes('"id":1') && stdin.end())
  const args = ['serve', '--stdio', '--tools', 'code', '--mcp', mcp]
  const { stdout } = await runInProcess(args, { transportOf, stdin, onOutput })
  const [, listed] = stdout.trimEnd().split('\n')
  expect(JSON.parse(listed ?? '')).toMatchObject({
    result: { tools: [{ name: 'run_code', description: expect.stringContaining('greeter__hello(args') }] },
  })
})
