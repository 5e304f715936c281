import { paths } from '@toolbridge/api'
import { expect, test } from 'vitest'
import { bearerOf, createTestGateway, type TestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { inMemory } from './support/specs.ts'
import { questionsOf, untilServer } from './support/waiting.ts'

const lockbox = await openFileLockbox()

const mostSessions = 64

test('a new session ends one that nobody uses, never one whose host waits; when all wait, it is refused', async () => {
  await using gateway = createTestGateway({
    lockbox,
    operatorServers: [inMemory('hello')],
    permissions: { mode: 'ask' },
  })
  const local = gateway.as('local')
  await untilServer(local, 'hello', 'ready')
  const ask = async (session: string): Promise<string> =>
    (await send(gateway, session, 'tools/call', { name: 'hello__hello' })).text()

  const calls = [ask(await connect(gateway))]
  const idle = await connect(gateway)
  while (calls.length < mostSessions - 1) calls.push(ask(await connect(gateway)))
  calls.push(ask(await connect(gateway)))
  await expect.poll(async () => (await send(gateway, idle, 'tools/list')).status).toBe(404)

  await expect.poll(async () => (await questionsOf(local)).length).toBe(mostSessions)
  const refused = await initialize(gateway)
  expect(refused.status).toBe(503)
  expect(await refused.text()).toContain('each has a running call')
  const [accepted, ...declined] = await questionsOf(local)
  await local.post(paths.answer(accepted?.id ?? ''), { action: 'accept' })
  for (const { id } of declined) await local.post(paths.answer(id), { action: 'decline' })
  const answers = await Promise.all(calls)
  expect(answers.filter((answer) => answer.includes('Hello, world!'))).toHaveLength(1)
  expect(answers.filter((answer) => answer.includes('"isError":true'))).toHaveLength(mostSessions - 1)
  await connect(gateway)
})

/** Opens a session like a host, without the official client: 64 of those take seconds. */
async function connect(gateway: TestGateway): Promise<string> {
  const opened = await initialize(gateway)
  expect(opened.status).toBe(200)
  await opened.text()
  return opened.headers.get('mcp-session-id') ?? ''
}

function initialize(gateway: TestGateway): Promise<Response> {
  const clientInfo = { name: 'test-host', version: '1' }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
  return send(gateway, undefined, 'initialize', params)
}

async function send(
  { app }: TestGateway,
  session: string | undefined,
  method: string,
  params: object = {},
): Promise<Response> {
  return app.request(paths.mcp, {
    method: 'POST',
    headers: {
      authorization: bearerOf('host'),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session === undefined ? {} : { 'mcp-session-id': session }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
}
