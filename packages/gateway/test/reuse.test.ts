import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { paths } from '@toolbridge/api'
import type { ServerSpec } from '@toolbridge/bridge'
import { localAuthority } from '@toolbridge/bridge/config'
import { McpClient, type McpClientOptions, McpError } from '@toolbridge/client'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { requestSignInUrl } from '../src/index.ts'
import { findRunningGateway, requestAsOwner } from '../src/reuse.ts'
import { RelayTransport } from '../src/reuse/relay-transport.ts'
import { originalError, relayedData } from '../src/reuse/relayed-error.ts'
import { reusePath, signerOf } from '../src/reuse/reuse-answer.ts'
import { bearerOf } from './support/gateway.ts'
import { type ListeningGateway, listenTestGateway } from './support/listening.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { inMemory, savedInMemory } from './support/specs.ts'
import { questionsOf, untilServer } from './support/waiting.ts'

const token = canary('local')
const lockbox = await openFileLockbox()
let listening: ListeningGateway
beforeAll(async () => {
  listening = await listenTestGateway({
    lockbox,
    ownerToken: token,
    operatorServers: [inMemory('hello'), inMemory('elicit')],
    permissions: { mode: 'plan' },
  })
  const local = listening.gateway.as('local')
  await Promise.all(['hello', 'elicit'].map((name) => untilServer(local, name, 'ready')))
})
afterAll(() => listening[Symbol.asyncDispose]())

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reuse-'))
  await writeOwnerFile(listening.url)
})
afterEach(() => rm(folder, { recursive: true }))

const writeOwnerFile = (url: string): Promise<void> =>
  writeFile(join(folder, 'owner-token'), JSON.stringify({ url, token }), { mode: 0o600 })

async function connect(spec: ServerSpec, options: McpClientOptions = {}): Promise<McpClient> {
  const gateway = await findRunningGateway(folder)
  const connector = gateway?.connectorTo(spec, localAuthority())
  if (connector === undefined) throw new Error('the server is not reused')
  const client = new McpClient(connector(), options)
  await client.connect()
  return client
}

test('a command uses a running server by its own names, and the rules for hosts do not apply', async () => {
  const client = await connect(inMemory('hello'))
  expect(client.info?.serverInfo.name).toBe('hello')
  expect((await client.listTools()).map(({ name }) => name)).toEqual(['hello', 'repeat'])
  const { content } = await client.callTool('hello', { name: 'Ada' })
  expect(content).toEqual([{ type: 'text', text: 'Hello, Ada!' }])
  await client.close()
})

test('questions of the server reach the command that made the call, and not the inbox', async () => {
  const onElicitation = vi.fn(async () => ({ action: 'accept' as const, content: { name: 'Ada' } }))
  const client = await connect(inMemory('elicit'), { onElicitation })
  const { content } = await client.callTool('greet_me')
  expect(content).toEqual([{ type: 'text', text: 'Hello, Ada!' }])
  expect(onElicitation).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ message: 'What is your name?' }),
    expect.anything(),
  )
  await client.close()
  const unasked = await connect(inMemory('elicit'))
  expect(JSON.stringify(await unasked.callTool('greet_me'))).toMatch(/declin/i)
  await unasked.close()
  expect(await questionsOf(listening.gateway.as('local'))).toEqual([])
})

test('an error of the server is the same as without a gateway', async () => {
  const client = await connect(inMemory('hello'))
  await expect(client.request('prompts/get', { name: 'none' })).rejects.toMatchObject({
    kind: 'peer',
    code: -32_601,
  })
  await client.close()
  const lost = new McpError('it exited', { kind: 'closed', code: -32_000, data: { stderr: ['oh'] } })
  const sent = McpError.fromPeer({ code: lost.code, message: lost.message, data: relayedData(lost) })
  expect(originalError(sent)).toEqual(lost)
  const own = McpError.fromPeer({ code: 1, message: 'no', data: { reason: 'no' } })
  expect(relayedData(own)).toBe(own.data)
  expect(originalError(own)).toBe(own)
})

test('a connection that the gateway has lost is not taken for an answer of the server', async () => {
  const lost = new McpError('it exited', { kind: 'closed', code: -32_000 })
  const gateway = await listenAs((request, response) => {
    request.resume().on('end', () => {
      const error = { code: lost.code, message: lost.message, data: relayedData(lost) }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error }))
    })
  })
  const transport = new RelayTransport(gateway.url, token)
  await transport.start()
  await expect(transport.request('tools/call')).rejects.toMatchObject({
    kind: 'closed',
    message: 'it exited',
  })
  await transport.close()
  await gateway.close()
})

test('a server with another definition is not reused, nor one that was saved in the console', async () => {
  const gateway = await findRunningGateway(folder)
  const other = { ...inMemory('hello'), args: ['hello', '--loud'] }
  expect(gateway?.connectorTo(other, localAuthority())).toBeUndefined()
  const local = listening.gateway.as('local')
  await local.post(paths.config, { mcpServers: { mine: savedInMemory('hello') } })
  await untilServer(local, 'mine', 'ready')
  const { servers } = await (await local.get(`${reusePath}?nonce=1`)).json()
  expect(servers).toHaveLength(2)
})

test('without the owner token nothing is relayed, and an unknown key is not found', async () => {
  const { app } = listening.gateway
  const { servers } = await (await app.request(`${reusePath}?nonce=1`)).json()
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  }
  const post = async (key: string, authorization: string): Promise<number> => {
    const headers = {
      authorization,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const body = JSON.stringify(initialize)
    return (await app.request(`${reusePath}/${key}`, { method: 'POST', headers, body })).status
  }
  expect(await post(servers[0], bearerOf('nobody'))).toBe(401)
  expect(await post('unknown', bearerOf('local'))).toBe(404)
  expect(await post(servers[0], bearerOf('local'))).toBe(200)
})

test('the token is not sent to another program that listens where a gateway did', async () => {
  const seen: unknown[] = []
  const answers = [JSON.stringify({ proof: 'guessed', servers: [] }), 'not JSON', '[]']
  const impostor = await listenAs(({ headers, url }, response) => {
    seen.push([headers, url])
    response.end(answers[(seen.length - 1) % answers.length])
  })
  await writeOwnerFile(impostor.url)
  for (const _ of answers) expect(await findRunningGateway(folder)).toBeUndefined()
  for (const _ of answers) expect(await requestSignInUrl(folder)).toBeUndefined()
  expect(seen).toHaveLength(2 * answers.length)
  expect(JSON.stringify(seen)).not.toContain(token)
  await impostor.close()
})

test.each([
  ['proves itself', 1],
  ['answers', 2],
])('a request of the owner can be aborted before the gateway %s', async (_what, hangingRequest) => {
  // Without the timeout, only the signal ends the request.
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal)
  onTestFinished(() => timeout.mockRestore())
  const enough = new AbortController()
  let requests = 0
  const gateway = await listenAs(({ url = '' }, response) => {
    requests += 1
    if (requests === hangingRequest) return enough.abort(new Error('enough'))
    const nonce = new URL(url, 'http://localhost').searchParams.get('nonce') ?? ''
    response.end(JSON.stringify({ proof: signerOf(token).nonce(nonce), servers: [] }))
  })
  await writeOwnerFile(gateway.url)
  const request = { method: 'GET', signal: enough.signal }
  await expect(requestAsOwner(folder, paths.keys, request)).rejects.toThrow('enough')
  expect(requests).toBe(hangingRequest)
  await gateway.close()
})

test('an answer without end is not read', async () => {
  let sentBytes = 0
  const chunk = 'x'.repeat(64 * 1024)
  const impostor = await listenAs((_request, response) => {
    const send = (): void => {
      sentBytes += chunk.length
      if (!response.destroyed) response.write(chunk, send)
    }
    send()
  })
  await writeOwnerFile(impostor.url)
  expect(await findRunningGateway(folder)).toBeUndefined()
  expect(sentBytes).toBeLessThan(32 * 1024 * 1024)
  await impostor.close()
})

/** A program that listens on a port of this machine. */
async function listenAs(
  listener: RequestListener,
): Promise<{ readonly url: string; close(): Promise<unknown> }> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

test('without a gateway, or with a file that other users can read, no server is reused', async () => {
  await chmod(join(folder, 'owner-token'), 0o644)
  expect(await findRunningGateway(folder)).toBeUndefined()
  await chmod(join(folder, 'owner-token'), 0o600)
  expect(await findRunningGateway(folder)).toBeDefined()
  await writeOwnerFile('http://127.0.0.1:1')
  expect(await findRunningGateway(folder)).toBeUndefined()
  expect(await findRunningGateway(join(folder, 'missing'))).toBeUndefined()
})
