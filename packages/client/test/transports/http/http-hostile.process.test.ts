import { canary } from '@toolbridge/testkit/secrets'
import { type HostileHttpFixture, startHttpHostile } from '@toolbridge/testkit/servers'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { HttpTransport, type HttpTransportConfig, McpClient } from '../../../src/index.ts'

let hostile: HostileHttpFixture
const opened: { close(): Promise<void> }[] = []

beforeAll(async () => {
  hostile = await startHttpHostile()
})

afterAll(() => hostile.close())

afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close()
})

const senders: readonly (readonly [string, Partial<HttpTransportConfig>])[] = [
  ['Node’s own client', {}],
  ['a given fetch', { fetch }],
]

describe.each(senders)('sent by %s', (_sender, config) => {
  test.each([
    ['a reset before the headers', 'reset', 'before-headers', { kind: 'unreachable' }],
    ['a reset in the body', 'reset', 'in-body', { kind: 'closed' }],
    ['a reset in the stream', 'reset', 'in-stream', { kind: 'closed' }],
    ['a stream that ends without the answer', 'drop-stream', '', { kind: 'closed' }],
    ['an answer to another request', 'wrong-id', '', { kind: 'closed' }],
  ])('%s leaves the effect unknown, and the tool ran once', async (_title, behaviour, value, error) => {
    const { client } = await connected(behaviour, value, config)
    await expect(client.callTool('echo')).rejects.toMatchObject({ ...error, data: { effect: 'unknown' } })
    expect(await textOf(client, 'count')).toBe('1')
  })

  test.each([
    ['another type', 'content-type', 'text/html', { message: expect.stringContaining('text/html') }],
    ['a type that only looks like JSON', 'content-type', 'application/jsonp', {}],
    ['no type at all', 'content-type', '', { message: expect.stringContaining('no content type') }],
    ['nothing', 'empty', '200', { message: expect.stringContaining('an empty body') }],
    ['a message over the limit', 'huge', '3000000', { message: expect.stringContaining('larger than') }],
  ])('%s in answer is malformed, and the next call is not', async (_title, behaviour, value, error) => {
    const { client } = await connected(behaviour, value, { ...config, maxMessageBytes: 1_000_000 })
    await expect(client.callTool('echo')).rejects.toMatchObject({ kind: 'malformed', ...error })
    expect(await textOf(client, 'count')).toMatch(/[01]/)
  })

  test.each([
    ['with parameters and in capitals', 'content-type', 'Application/JSON;charset=utf-8'],
    ['with a byte order mark', 'byte-order-mark', ''],
    ['as a stream cut at every byte', 'split', ''],
  ])('an answer %s is read [H1]', async (_title, behaviour, value) => {
    const { client } = await connected(behaviour, value, config)
    expect(await textOf(client, 'echo')).toBe('1')
  })

  test.each(['slow-headers', 'slow-body'])('%s end with the call’s own time', async (behaviour) => {
    const { client } = await connected(behaviour, '', config)
    await expect(client.callTool('echo', {}, { timeoutMs: 200 })).rejects.toMatchObject({ kind: 'timeout' })
    expect(await textOf(client, 'count')).toBe('0')
  })

  test.each(['endless-headers', 'endless-error'])('%s are not read for ever', async (behaviour) => {
    const { client } = await connected(behaviour, '', config)
    await expect(client.callTool('echo')).rejects.toMatchObject({ kind: 'unreachable' })
  })

  test.each([
    [401, { kind: 'unauthorized', data: { status: 401, effect: 'none' } }],
    [403, { kind: 'unauthorized', data: { status: 403, effect: 'none' } }],
    [405, { kind: 'unreachable', data: { status: 405, effect: 'none' } }],
    [429, { kind: 'unreachable', data: { status: 429, effect: 'none' } }],
    [500, { kind: 'unreachable', data: { status: 500, effect: 'unknown' } }],
  ])('status %i is named with what is known of the effect', async (status, error) => {
    const { client } = await connected('status', String(status), config)
    await expect(client.callTool('echo')).rejects.toMatchObject(error)
    expect(await textOf(client, 'count')).toBe('0')
  })

  test('a session that is forgotten after each call is replaced each time [H3]', async () => {
    const { client } = await connected('forget-session', '', config)
    for (const ran of ['1', '2', '3']) expect(await textOf(client, 'echo')).toBe(ran)
  })

  test('the rest of a dropped answer is fetched after the pause that the server asks for [H5 H6]', async () => {
    const { client } = await connected('resume', '123', config)
    const timers = vi.spyOn(globalThis, 'setTimeout')
    onTestFinished(() => timers.mockRestore())
    expect(await textOf(client, 'echo')).toBe('1')
    expect(timers.mock.calls.filter(([, ms]) => ms === 123)).toHaveLength(1)
    expect(await textOf(client, 'count')).toBe('1')
  })
})

test('an encoding that was not asked for is malformed', async () => {
  const { client } = await connected('gzip')
  await expect(client.callTool('echo')).rejects.toMatchObject({
    kind: 'malformed',
    message: expect.stringContaining('gzip'),
  })
})

describe('a busy server', () => {
  test.each([429, 503])(
    'that answers %i is asked again when it says so, for what may be repeated',
    async (status) => {
      const { client } = await connected('busy', `${status},0,2`, {}, 'tools/list')
      expect(await client.listTools()).toHaveLength(2)
    },
  )

  test('is not asked to call a tool again', async () => {
    const { client } = await connected('busy', '503,0,1')
    await expect(client.callTool('echo')).rejects.toMatchObject({ data: { status: 503 } })
    expect(await textOf(client, 'count')).toBe('0')
  })

  test('is asked again to call a tool that the caller says may be called twice', async () => {
    const { client } = await connected('busy', '503,0,1')
    const { content } = await client.callTool('echo', {}, { idempotent: true })
    expect(content).toMatchObject([{ text: '1' }])
  })

  test('is left alone after a few times', async () => {
    const { client } = await connected('busy', '429,0,100', {}, 'tools/list')
    await expect(client.listTools()).rejects.toMatchObject({ data: { status: 429 } })
  })

  test.each([
    ['asks for an hour', '3600'],
    ['asks for nothing', ''],
    ['asks for nonsense', 'soon'],
  ])('that %s is not waited for', async (_title, retryAfter) => {
    const { client } = await connected('busy', `503,${retryAfter},100`, {}, 'tools/list')
    await expect(client.listTools()).rejects.toMatchObject({ data: { status: 503 } })
  })

  test('is not waited for beyond the call’s own time', async () => {
    const { client } = await connected('busy', '503,20,1', {}, 'tools/list')
    await expect(client.listTools({ timeoutMs: 200 })).rejects.toMatchObject({ kind: 'timeout' })
  })
})

describe.each(senders)('redirects, sent by %s', (_sender, config) => {
  test.each(['{path}/moved', 'http://127.0.0.1:{port}{path}/moved'])(
    'to the same origin are followed with the request as it is: %s [H13]',
    async (target) => {
      for (const status of [307, 308]) {
        const { client } = await connected('redirect', `${status},${target}?a=b`, config)
        expect(await textOf(client, 'echo')).toBe('1')
      }
    },
  )

  test.each([301, 302, 303])('of status %i are not followed with a message', async (status) => {
    const { client } = await connected('redirect', `${status},{path}/moved`, config)
    await expect(client.callTool('echo')).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.stringMatching(/\/moved; if that is right, use that address instead$/),
    })
  })

  test('in circles come to an end', async () => {
    const { client } = await connected('redirect', '307,{path}', config)
    await expect(client.callTool('echo')).rejects.toMatchObject({
      message: expect.stringContaining('redirects too often'),
    })
    expect(await textOf(client, 'count')).toBe('0')
  })

  test.each([
    ['another port', 'http://127.0.0.1:9/stolen'],
    ['another host', 'http://localhost:{port}/stolen'],
    ['another scheme', 'https://127.0.0.1:{port}/stolen'],
    ['an address with credentials', 'http://user:pass@127.0.0.1:{port}/stolen'],
  ])('to %s are named without their query and not followed [H13]', async (_title, target) => {
    const headers = { authorization: `Bearer ${canary('header')}` }
    const { client } = await connected('redirect', `307,${target}?token=${canary('token')}`, {
      ...config,
      headers,
    })
    const error: unknown = await client.callTool('echo').catch((reason: unknown) => reason)
    expect(error).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('/stolen') })
    expect(JSON.stringify(error) + String(error)).not.toMatch(/Kanarienvogel|pass@/)
  })
})

async function connected(
  behaviour: string,
  value = '',
  config: Partial<HttpTransportConfig> = {},
  on?: string,
): Promise<{ client: McpClient }> {
  const url = hostile.urlOf(behaviour, value, on)
  const client = new McpClient(new HttpTransport({ url, ...config }), { era: 'legacy' })
  opened.push(client)
  await client.connect()
  return { client }
}

async function textOf(client: McpClient, tool: string): Promise<string> {
  const { content } = await client.callTool(tool)
  const [block] = content
  return block?.type === 'text' ? block.text : ''
}
