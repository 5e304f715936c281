import { fileURLToPath } from 'node:url'
import { type ActivityResponse, paths } from '@toolbridge/api'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { bearerOf } from './support/gateway.ts'
import { connectHost } from './support/host.ts'
import { type ListeningGateway, listenTestGateway } from './support/listening.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { inMemory, operatorServer } from './support/specs.ts'
import { untilAsked, untilHang, untilNothingAsked, untilServer } from './support/waiting.ts'

const program = fileURLToPath(new URL('../../bridge/test/servers/rewriting.mjs', import.meta.url))
/** Says about its tool what it was last called with. */
const rewriting = { ...operatorServer('rewriting', 'hello'), args: [program] }

const lockbox = await openFileLockbox()
let listening: ListeningGateway

beforeAll(async () => {
  listening = await listenTestGateway({
    lockbox,
    operatorServers: [inMemory('hello'), inMemory('elicit'), rewriting],
    permissions: { mode: 'allow', ask: ['mcp://hello/*'], allow: ['mcp://rewriting/*'] },
  })
  await untilServer(listening.gateway.as('local'), 'hello', 'ready')
  await untilServer(listening.gateway.as('local'), 'elicit', 'ready')
})
afterAll(() => listening[Symbol.asyncDispose]())
afterEach(() => {
  vi.useRealTimers()
})

test('who decides sees all arguments, and how much of them is too much to show', async () => {
  const local = listening.gateway.as('local')
  await using host = await connectHost(listening.url)
  const text = `${'innocent '.repeat(100)}dangerous`
  const first = host.client.callTool({ name: 'hello__repeat', arguments: { text, count: 1 } })
  const asked = await untilAsked(local)
  expect(asked).toMatchObject({
    kind: 'approval',
    detail: expect.not.stringContaining('dangerous'),
    arguments: { text: expect.stringContaining('dangerous"'), omitted: 0 },
  })
  await local.post(paths.answer(asked.id), { action: 'decline' })
  await first

  const second = host.client.callTool({ name: 'hello__repeat', arguments: { text: 'x'.repeat(100_000) } })
  const long = await untilAsked(local)
  expect(long.kind === 'approval' && long.arguments.omitted).toBeGreaterThan(30_000)
  await local.post(paths.answer(long.id), { action: 'decline' })
  await second
})

test('a person who allows a call may allow as much as the question permits', async () => {
  const local = listening.gateway.as('local')
  const repeat = { name: 'hello__repeat', arguments: { text: 'a' } }
  await using host = await connectHost(listening.url)
  const first = host.client.callTool(repeat)
  const asked = await untilAsked(local)
  expect(asked).toMatchObject({ kind: 'approval', decisions: ['once', 'session', 'tool', 'always'] })
  const refused = await local.post(paths.answer(asked.id), { action: 'accept', decision: 'forever' })
  expect(refused.status).toBe(422)
  await local.post(paths.answer(asked.id), { action: 'accept', decision: 'tool' })
  await first
  await host.client.callTool({ ...repeat, arguments: { text: 'b' } })

  await using another = await connectHost(listening.url)
  const second = another.client.callTool(repeat)
  await local.post(paths.answer((await untilAsked(local)).id), { action: 'accept', decision: 'always' })
  await second
  await using third = await connectHost(listening.url)
  expect(await third.client.callTool({ ...repeat, arguments: { text: 'c' } })).not.toHaveProperty(
    'isError',
    true,
  )
})

test.each([
  ['hello__hello', 'denied'],
  ['elicit__greet_me', 'ok'],
])(
  'what %s asked is withdrawn when its host hangs up, and nobody can answer it any more',
  async (tool, outcome) => {
    const local = listening.gateway.as('local')
    const host = await connectHost(listening.url)
    const leaving = new AbortController()
    const call = callInSession(host.sessionId ?? '', tool, leaving.signal).catch(() => undefined)
    const { id } = await untilAsked(local)
    leaving.abort()
    await call
    await untilNothingAsked(local)
    expect((await local.post(paths.answer(id), { action: 'accept' })).status).toBe(404)
    await vi.waitFor(async () => {
      const { entries }: ActivityResponse = await (await local.get(paths.activity)).json()
      expect(entries[0]).toMatchObject({ tool, outcome })
    }, untilHang)
    await host[Symbol.asyncDispose]()
  },
)

test('who presses the button is asked about a tool that has changed, and told why', async () => {
  const local = listening.gateway.as('local')
  const tool = 'mcp://rewriting/note'
  await local.post(paths.call, { tool, arguments: { description: 'Reads your keys' } })
  await vi.waitFor(async () => {
    expect(await (await local.get(paths.tools)).text()).toContain('Reads your keys')
  }, untilHang)
  const call = local.post(paths.call, { tool })
  const { id, message, ...asked } = await untilAsked(local)
  expect(asked).toMatchObject({ decisions: ['once'] })
  expect(message).toContain('the tool has changed')
  expect(message).toContain('+ description: Reads your keys')
  const further = await local.post(paths.answer(id), { action: 'accept', decision: 'always' })
  expect(await further.json()).toMatchObject({ code: 'invalid_answer', issues: [{ path: '/decision' }] })
  await local.post(paths.answer(id), { action: 'decline' })
  expect(await (await call).json()).toMatchObject({ code: 'approval_refused' })
})

test('an approval that nobody gives within an hour expires, and the call is not made', async () => {
  const local = listening.gateway.as('local')
  await using host = await connectHost(listening.url)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const call = host.client.callTool({ name: 'hello__hello' }, undefined, { timeout: 2 * 60 * 60_000 })
  await vi.waitUntil(async () => (await lockbox.inbox.open('local')).length === 1, untilHang)
  vi.advanceTimersByTime(60 * 60_000)
  vi.useRealTimers()
  expect(await call).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('was cancelled or timed out') }],
  })
  await untilNothingAsked(local)
})

/** A call whose connection can be cut without a word, as a host that crashes does. */
function callInSession(sessionId: string, name: string, signal: AbortSignal): Promise<string> {
  return fetch(listening.url + paths.mcp, {
    method: 'POST',
    signal,
    headers: {
      authorization: bearerOf('host'),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': sessionId,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 77, method: 'tools/call', params: { name, arguments: {} } }),
  }).then((response) => response.text())
}
