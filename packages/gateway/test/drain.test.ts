import { paths } from '@toolbridge/api'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { GatewayError } from '../src/errors/gateway-error.ts'
import { Readiness } from '../src/lifecycle/readiness.ts'
import { createTestGateway } from './support/gateway.ts'
import { connectHost } from './support/host.ts'
import { createLibrary } from './support/library-server.ts'
import { type ListeningGateway, listenTestGateway } from './support/listening.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { inMemory } from './support/specs.ts'
import { textOf, untilAsked, untilHang, untilServer } from './support/waiting.ts'

const lockbox = await openFileLockbox()

async function startWithElicit(): Promise<ListeningGateway> {
  const listening = await listenTestGateway({ lockbox, operatorServers: [inMemory('elicit')] })
  await untilServer(listening.gateway.as('local'), 'elicit', 'ready')
  return listening
}

const greet = { tool: 'elicit__greet_me' }
const stopping = { status: 503, code: 'stopping' }

test('while a gateway drains, a running call can be answered and ends, and nothing new begins', async () => {
  await using listening = await startWithElicit()
  const { gateway, url } = listening
  const local = gateway.as('local')
  await using host = await connectHost(url)
  const running = local.post(paths.call, greet)
  const { id } = await untilAsked(local)
  expect((await local.get(paths.readiness)).status).toBe(200)

  const drained = gateway.services.calls.drain(600_000)
  const notReady = await local.get(paths.readiness)
  expect([notReady.status, notReady.headers.get('retry-after')]).toEqual([503, '10'])
  expect((await local.get(paths.health)).status).toBe(200)
  const refusedCall = await local.post(paths.call, greet)
  expect(refusedCall.headers.get('content-type')).toBe('application/problem+json')
  expect(refusedCall.headers.get('retry-after')).toBe('10')
  expect(await refusedCall.json()).toMatchObject(stopping)
  const nodes = [{ kind: 'tool', id: 'one', tool: 'x__y' }]
  expect(await (await local.post(paths.invoke, { workflowId: 'w', nodes })).json()).toMatchObject(stopping)
  await expect(host.client.callTool({ name: 'elicit__greet_me' })).rejects.toMatchObject({
    data: { code: 'stopping' },
  })
  expect((await host.client.listTools()).tools).not.toEqual([])
  await expect(connectHost(url)).rejects.toThrow('stopping')

  await local.post(paths.answer(id), { action: 'accept', content: { name: 'Ada' } })
  expect(await textOf(await running)).toContain('Ada')
  await drained
  expect(gateway.services.calls.running).toBe(0)
})

test('a call that does not end in time does not keep the gateway from draining', async () => {
  await using listening = await startWithElicit()
  const { gateway } = listening
  const running = gateway.as('local').post(paths.call, greet)
  await untilAsked(gateway.as('local'))
  await gateway.services.calls.drain(1)
  expect(gateway.services.calls.running).toBe(1)
  gateway.stop()
  expect((await running).status).toBe(503)
})

test('requests for resources, prompts and completions count as calls, which end before the gateway stops', async () => {
  let answer = (): void => {}
  const library = createLibrary(new Promise((resolve) => (answer = resolve)))
  await using gateway = createTestGateway({
    lockbox,
    limits: { calls: 3 },
    transportOf: library.transportOf,
    operatorServers: [{ ...inMemory('hello', 'library'), command: 'library', args: [] }],
  })
  const local = gateway.as('local')
  await untilServer(local, 'library', 'ready')
  const argument = { name: 'who', value: 'A' }
  const requests = [
    [paths.readResource, { server: 'library', uri: 'file:///open.txt' }],
    [paths.getPrompt, { server: 'library', name: 'greet', arguments: { who: 'Ada' } }],
    [paths.complete, { server: 'library', ref: { type: 'ref/prompt', name: 'greet' }, argument }],
  ] as const
  const running = requests.map(([path, body]) => local.post(path, body))
  await expect.poll(() => library.asked.length, untilHang).toBe(3)
  expect(gateway.services.calls.running).toBe(3)
  expect(await (await local.post(...requests[0])).json()).toMatchObject({ code: 'too_many_calls' })

  const drained = gateway.services.calls.drain(600_000)
  for (const [path, body] of requests)
    expect(await (await local.post(path, body)).json()).toMatchObject(stopping)
  answer()
  await drained
  const statuses = (await Promise.all(running)).map(({ status }) => status)
  expect(statuses).toEqual([200, 200, 200])
  expect(library.asked).toHaveLength(3)
})

let [reads, nowMs] = [0, 0]
beforeEach(() => {
  ;[reads, nowMs] = [0, 0]
})
const open = { requireOpen: () => undefined }
const now = (): number => nowMs

test('a gateway is ready while its store responds, which anyone can find out once a second', async () => {
  let isReachable = true
  const readiness = new Readiness({
    calls: open,
    // Not a database: none can be made to fail at a given moment.
    readStore: async () => {
      reads += 1
      if (!isReachable) throw new Error('cannot connect to the database db.internal/toolbridge')
    },
    now,
  })
  await Promise.all([readiness.check(), readiness.check()])
  isReachable = false
  await readiness.check()
  expect(reads).toBe(1)
  nowMs += 1_000
  const refused = await readiness.check().catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(GatewayError)
  expect(refused).toMatchObject({ code: 'not_ready', message: expect.not.stringContaining('db.internal') })
})

test('a store that never answers is not ready after two seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const readiness = new Readiness({ calls: open, readStore: () => new Promise(() => undefined) })
  const checked = expect(readiness.check()).rejects.toMatchObject({ code: 'not_ready' })
  await vi.advanceTimersByTimeAsync(2_000)
  await checked
})
