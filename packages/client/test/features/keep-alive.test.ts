import { expect, test, vi } from 'vitest'
import { keepAlive } from '../../src/features/keep-alive.ts'
import { McpClient, type McpErrorEvent } from '../../src/index.ts'
import { connectedTo } from '../support/both-eras.ts'
import { modernServer, type Script, scriptedServer, silence } from '../support/scripted-server.ts'

test('a connection that is kept alive is pinged at the interval, until it is closed [S4-66] [S4-73]', async () => {
  let pings = 0
  const { client } = await connectedTo(
    '2025-11-25',
    {},
    counting(() => ++pings),
    { keepAliveMs: 5 },
  )
  await expect.poll(() => pings).toBeGreaterThan(2)
  await client.close()
  const then = pings
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(pings).toBe(then)
})

test('the timer of the pings does not keep a process alive [S4-73]', () => {
  const intervals = vi.spyOn(globalThis, 'setInterval')
  const stop = keepAlive({
    intervalMs: 60_000,
    ping: () => Promise.resolve(),
    onMissed: () => undefined,
    onLost: () => undefined,
  })
  const [timer] = intervals.mock.results.map(({ value }) => value)
  intervals.mockRestore()
  expect(timer?.hasRef()).toBe(false)
  stop()
})

test('where a timer is a number, as in a browser, pings are sent all the same [S4-141]', async () => {
  const beats: (() => void)[] = []
  const intervals = vi
    .spyOn(globalThis, 'setInterval')
    .mockImplementation(((beat: () => void) => beats.push(beat)) as never)
  const ping = vi.fn(() => Promise.reject(new Error('offline')))
  const onMissed = vi.fn()
  const stop = keepAlive({ intervalMs: 60_000, ping, onMissed, onLost: () => undefined })
  intervals.mockRestore()
  beats[0]?.()
  await vi.waitFor(() => expect(onMissed).toHaveBeenCalledOnce())
  expect(ping).toHaveBeenCalledOnce()
  stop()
})

test('a server that answers pings with an error is alive', async () => {
  const onClose = vi.fn()
  const { client } = await connectedTo('2025-11-25', {}, {}, { keepAliveMs: 2, onClose })
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(onClose).not.toHaveBeenCalled()
  await client.close()
})

test('hooks hear of pings without an answer, and after three in a row the connection is over', async () => {
  const phases: string[] = []
  const server = scriptedServer({ ping: () => silence })
  const ended = new Promise<unknown>((resolve) => {
    const onMcpError = ({ phase }: McpErrorEvent): void => void phases.push(phase)
    const client = new McpClient(server.transport, {
      keepAliveMs: 10,
      hooks: { onMcpError },
      onClose: resolve,
    })
    void client.connect()
  })
  expect(await ended).toMatchObject({ kind: 'closed', message: expect.stringContaining('pings') })
  expect(phases).toEqual(['ping', 'ping', 'ping'])
})

test('without an interval nobody is pinged', async () => {
  let pings = 0
  const { client } = await connectedTo(
    '2025-11-25',
    {},
    counting(() => ++pings),
  )
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(pings).toBe(0)
  await client.close()
})

function counting(count: () => void): Script {
  return {
    ping: () => {
      count()
      return {}
    },
  }
}

test.each(['2025-11-25', '2026-07-28'])(
  'a link of %s that is lost while it is being opened is told once: by the one who opens it, or afterwards',
  async (version) => {
    for (let steps = 0; steps < 20; steps++) {
      const onClose = vi.fn()
      const server = version === '2026-07-28' ? modernServer() : scriptedServer()
      const opening = version === '2026-07-28' ? 'server/discover' : 'notifications/initialized'
      const client = new McpClient(server.transport, { keepAliveMs: 1, onClose })
      const connecting = client.connect().then(
        () => true,
        () => false,
      )
      await server.message(opening)
      for (let step = 0; step < steps; step++) await Promise.resolve()
      await server.end.close()
      const isConnected = await connecting
      await new Promise((resolve) => setTimeout(resolve, 15))
      expect([steps, isConnected, onClose.mock.calls.length]).toEqual([
        steps,
        isConnected,
        isConnected ? 1 : 0,
      ])
    }
  },
)

test('who closes a connection at once is told of nothing', async () => {
  const onClose = vi.fn()
  for (let steps = 0; steps < 20; steps++) {
    const server = scriptedServer()
    const client = new McpClient(server.transport, { keepAliveMs: 1, onClose })
    const connecting = client.connect().catch(() => undefined)
    await server.message('notifications/initialized')
    for (let step = 0; step < steps; step++) await Promise.resolve()
    await client.close()
    await connecting
  }
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(onClose).not.toHaveBeenCalled()
})
