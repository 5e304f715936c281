import { fileURLToPath } from 'node:url'
import { paths, type ServerLogEvent } from '@toolbridge/api'
import { createMemoryPair } from '@toolbridge/client'
import { canary } from '@toolbridge/testkit/secrets'
import { afterEach, expect, test, vi } from 'vitest'
import { ServerLogs } from '../src/owners/server-logs.ts'
import { schemaViolations } from './support/contract.ts'
import { readEvents } from './support/events.ts'
import { type Caller, createTestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { inMemory, savedInMemory } from './support/specs.ts'
import { untilServer } from './support/waiting.ts'

const lockbox = await openFileLockbox()
afterEach(() => {
  vi.useRealTimers()
})

/** Says its token on stderr and in errors, and dies when it is told to. */
const chatty = {
  command: process.execPath,
  args: [fileURLToPath(new URL('../../bridge/test/servers/chatty.mjs', import.meta.url))],
  env: { CHATTY_TOKEN: canary('chatty') },
}

interface FollowedLog extends AsyncDisposable {
  readonly begin: ServerLogEvent
  /** Everything so far, once the condition holds. */
  until(condition: (log: ServerLogEvent) => boolean): Promise<ServerLogEvent>
}

async function follow(caller: Caller, server: string): Promise<FollowedLog> {
  const events = readEvents<ServerLogEvent>(await caller.get(paths.serverLog(server)))
  const begin = await events.next('begin')
  let log: ServerLogEvent = begin
  return {
    begin,
    async until(condition) {
      while (!condition(log)) {
        const more = await events.next('more')
        expect(schemaViolations('ServerLogEvent', JSON.stringify(more), 'more')).toEqual([])
        log = {
          type: 'more',
          history: [...log.history, ...more.history],
          stderr: [...log.stderr, ...more.stderr],
          messages: [...log.messages, ...more.messages],
        }
      }
      return log
    },
    [Symbol.asyncDispose]: () => events.cancel(),
  }
}

test('the log has what happened to a server, its standard error and its messages as they come, without secrets', async () => {
  await using gateway = createTestGateway({ lockbox })
  const ada = gateway.as('ada')
  await ada.post(paths.config, { mcpServers: { chatty } })
  await untilServer(ada, 'chatty', 'ready')
  await using log = await follow(ada, 'chatty')
  expect(log.begin.history.map(({ event }) => event)).toEqual(['starting', 'ready'])
  expect(log.begin.stderr).toEqual([{ number: expect.any(Number), text: 'started with [redacted]' }])
  expect(log.begin.messages).toEqual([])
  await ada.post(paths.call, { tool: 'chatty__refuse' })
  const called = await log.until(({ messages }) => messages.length === 2)
  expect(called.messages).toMatchObject([
    { connection: 1, direction: 'sent', method: 'tools/call', bytes: expect.any(Number) },
    { direction: 'received', text: expect.stringContaining('cannot log in with [redacted]') },
  ])
  expect(called.messages[1]?.id).toBe(called.messages[0]?.id)
  await ada.post(paths.call, { tool: 'chatty__die' })
  const died = await log.until(({ history }) => history.filter(({ event }) => event === 'ready').length === 2)
  const states = died.history.map(({ event, error }) => [event, error])
  expect(states).toEqual([
    ['starting', undefined],
    ['ready', undefined],
    ['down', expect.stringContaining('dying with [redacted]')],
    ['starting', undefined],
    ['ready', undefined],
  ])
  expect(died.stderr.map(({ text }) => text)).toContain('dying with [redacted]')
  await ada.post(paths.restart('chatty'), {})
  const restarted = await log.until(({ history }) => history.at(-1)?.event === 'replaced')
  expect(restarted.history.slice(5).map(({ event }) => event)).toEqual([
    'restart',
    'starting',
    'ready',
    'replaced',
  ])
  expect(await untilServer(ada, 'chatty', 'ready')).toMatchObject({ since: expect.any(String), restarts: 0 })
  expect(JSON.stringify(restarted)).not.toContain(canary('chatty'))
})

test('nobody follows the log of another person’s server, nor that of the gateway’s file but its owner', async () => {
  await using gateway = createTestGateway({ lockbox, operatorServers: [inMemory('hello', 'house')] })
  const [ada, bob, local] = ['ada', 'bob', 'local'].map((name) => gateway.as(name)) as [
    Caller,
    Caller,
    Caller,
  ]
  await ada.post(paths.config, { mcpServers: { same: savedInMemory('hello'), own: savedInMemory('hello') } })
  await bob.post(paths.config, { mcpServers: { same: savedInMemory('hello') } })
  await untilServer(ada, 'same', 'ready')
  await untilServer(bob, 'same', 'ready')
  await using adas = await follow(ada, 'same')
  await using bobs = await follow(bob, 'same')
  await ada.post(paths.call, { tool: 'same__hello', arguments: { name: 'only for ada' } })
  await bob.post(paths.call, { tool: 'same__hello', arguments: { name: 'only for bob' } })
  expect(JSON.stringify(await adas.until(({ messages }) => messages.length === 2))).not.toContain('for bob')
  expect(JSON.stringify(await bobs.until(({ messages }) => messages.length === 2))).not.toContain('for ada')
  for (const server of ['own', 'house', 'nothing'])
    expect((await bob.get(paths.serverLog(server))).status).toBe(404)
  await untilServer(local, 'house', 'ready')
  await using house = await follow(local, 'house')
  expect(house.begin.history.at(-1)?.event).toBe('ready')
})

test('a page that is loaded again finds what it had, and a log that nobody reads any more is forgotten', async () => {
  await using gateway = createTestGateway({ lockbox })
  const ada = gateway.as('ada')
  await ada.post(paths.config, { mcpServers: { hello: savedInMemory('hello') } })
  await untilServer(ada, 'hello', 'ready')
  const first = await follow(ada, 'hello')
  await ada.post(paths.call, { tool: 'hello__hello' })
  await first.until(({ messages }) => messages.length === 2)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await first[Symbol.asyncDispose]()
  const second = await follow(ada, 'hello')
  expect(second.begin.messages).toHaveLength(2)
  await second[Symbol.asyncDispose]()
  vi.advanceTimersByTime(30_000)
  vi.useRealTimers()
  await ada.post(paths.call, { tool: 'hello__hello' })
  await using third = await follow(ada, 'hello')
  expect(third.begin.messages).toEqual([])
  expect(third.begin.history.at(-1)?.event).toBe('ready')
})

test('of very long and of very many messages only the beginning and the latest are kept', async () => {
  await using gateway = createTestGateway({ lockbox })
  const ada = gateway.as('ada')
  await ada.post(paths.config, { mcpServers: { hello: savedInMemory('hello') } })
  await untilServer(ada, 'hello', 'ready')
  await using log = await follow(ada, 'hello')
  await ada.post(paths.call, { tool: 'hello__hello', arguments: { name: 'x'.repeat(100_000) } })
  const { messages } = await log.until(({ messages: all }) => all.length === 2)
  expect(messages).toMatchObject([{ isShortened: true }, { isShortened: true }])
  expect(messages.map(({ text, bytes }) => [text.length, bytes > 100_000])).toEqual([
    [65_536, true],
    [65_536, true],
  ])
  for (let call = 0; call < 10; call += 1)
    await ada.post(paths.call, { tool: 'hello__hello', arguments: { name: 'x'.repeat(100_000) } })
  await using long = await follow(ada, 'hello')
  // A mebibyte of characters.
  expect(long.begin.messages).toHaveLength(16)
  for (let call = 0; call < 160; call += 1) await ada.post(paths.call, { tool: 'hello__hello' })
  await using late = await follow(ada, 'hello')
  expect(late.begin.messages).toHaveLength(300)
  expect(late.begin.messages.at(-1)?.number).toBeGreaterThan(late.begin.messages[0]?.number ?? 0)
})

test('the log of a server that somebody follows is not among those that make room for others', () => {
  const logs = new ServerLogs(() => undefined)
  const observe = () => ({ [Symbol.dispose]: () => undefined })
  logs.restarted('followed')
  const unfollow = logs.follow('followed', observe, () => undefined)
  for (let server = 0; server < 200; server += 1) logs.restarted(`server ${server}`)
  const historyOf = (server: string): number => {
    let length = 0
    logs.follow(server, observe, ({ history }) => {
      length = history.length
    })()
    return length
  }
  expect([historyOf('followed'), historyOf('server 0'), historyOf('server 199')]).toEqual([1, 0, 1])
  unfollow()
  logs.close()
})

test('a long error of a server is cut in its log', async () => {
  const message = 'x'.repeat(100_000)
  await using gateway = createTestGateway({
    lockbox,
    operatorServers: [inMemory('hello', 'scripted')],
    transportOf: () => {
      const [link, end] = createMemoryPair()
      end.onmessage = (request) => {
        const { id = 0 } = request as { id?: number }
        void end.send({ jsonrpc: '2.0', id, error: { code: -32_000, message } })
      }
      return link
    },
  })
  const local = gateway.as('local')
  await untilServer(local, 'scripted', 'failed')
  await using log = await follow(local, 'scripted')
  const [failed] = log.begin.history.filter(({ event }) => event === 'failed')
  expect(failed?.error).toHaveLength(4_000)
})
