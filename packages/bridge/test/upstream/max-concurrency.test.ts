import { type BridgeOptions, openBridge, readConfig } from '@toolbridge/bridge'
import { createMemoryPair, type JsonRpcMessage } from '@toolbridge/client'
import { expect, test } from 'vitest'
import { ManualClock } from '../servers/manual-clock.ts'
import { permissive } from '../servers/specs.ts'

/** A server that answers a call when the test says so. */
function patientServer(): {
  readonly transportOf: NonNullable<BridgeOptions['transportOf']>
  readonly received: readonly string[]
  readonly answer: (text: string) => void
  readonly arrival: (text: string) => Promise<void>
} {
  const received: string[] = []
  const answers = new Map<string, () => void>()
  const arrivals = new EventTarget()
  const transportOf = () => {
    const [link, end] = createMemoryPair()
    end.onmessage = (message) => {
      const {
        id = 0,
        method,
        params,
      } = message as { id?: number; method?: string; params?: { arguments?: { text: string } } }
      const reply = (result: object): void =>
        void end.send({ jsonrpc: '2.0', id, result } satisfies JsonRpcMessage)
      if (method === 'tools/call') {
        const text = params?.arguments?.text ?? ''
        received.push(text)
        answers.set(text, () => reply({ content: [{ type: 'text', text }] }))
        arrivals.dispatchEvent(new Event('call'))
      } else if (method === 'tools/list') reply({ tools: [{ name: 'say', inputSchema: { type: 'object' } }] })
      else if (method === 'initialize')
        reply({
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'patient', version: '1' },
        })
      else if (method === 'server/discover')
        void end.send({ jsonrpc: '2.0', id, error: { code: -32601, message: 'unknown' } })
      else if (id !== 0) reply({})
    }
    return link
  }
  const arrival = async (text: string): Promise<void> => {
    while (!received.includes(text))
      await new Promise((resolve) => arrivals.addEventListener('call', resolve, { once: true }))
  }
  return { transportOf, received, answer: (text) => answers.get(text)?.(), arrival }
}

const limited = (maxConcurrency: number) => ({ a: { command: 'patient', maxConcurrency } })

test('calls beyond the limit of a server wait in order, and each caller has its turn [C22]', async () => {
  const { transportOf, received, answer, arrival } = patientServer()
  await using bridge = await openBridge({ ...permissive(limited(1)), transportOf })
  const call = (text: string, conversation = 'main') =>
    bridge.call('a__say', { text }, { origin: { principal: 'local', conversation } })
  const calls = [call('1'), call('2'), call('3'), call('other', 'second')]
  for (const text of ['1', '2', 'other', '3']) {
    await arrival(text)
    expect(received.at(-1)).toBe(text)
    answer(text)
  }
  expect((await Promise.all(calls)).map(({ content }) => content[0])).toMatchObject([
    { text: '1' },
    { text: '2' },
    { text: '3' },
    { text: 'other' },
  ])
  expect(received).toEqual(['1', '2', 'other', '3'])
})

test('a call that is cancelled, or times out, while it waits never reaches the server [C22]', async () => {
  const { transportOf, received, answer, arrival } = patientServer()
  const clock = new ManualClock()
  await using bridge = await openBridge({
    ...permissive({ a: { command: 'patient' } }),
    transportOf,
    clock,
    keepAliveMs: 0,
    maxConcurrency: 1,
  })
  const first = bridge.call('a__say', { text: '1' })
  await arrival('1')
  const abort = new AbortController()
  const cancelled = bridge.call('a__say', { text: 'cancelled' }, { signal: abort.signal })
  abort.abort('changed my mind')
  await expect(cancelled).rejects.toBe('changed my mind')
  const late = bridge.call('a__say', { text: 'late' }, { timeoutMs: 5_000 })
  const failure = expect(late).rejects.toMatchObject({
    kind: 'timeout',
    message:
      'server "a" is at its limit of concurrent calls (maxConcurrency: 1), and the call was not sent within 5000 ms',
  })
  clock.advance(5_000)
  await failure
  const last = bridge.call('a__say', { text: 'last' })
  answer('1')
  await first
  await arrival('last')
  answer('last')
  await last
  expect(received).toEqual(['1', 'last'])
})

test('calls that wait fail when the bridge is closed', async () => {
  const { transportOf, received, arrival } = patientServer()
  const bridge = await openBridge({ ...permissive(limited(1)), transportOf })
  const calls = ['1', '2', '3'].map((text) => bridge.call('a__say', { text }))
  const ended = Promise.allSettled(calls)
  await arrival('1')
  await bridge.close()
  expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(received).toEqual(['1'])
})

test('a limit below 1 is refused', async () => {
  await expect(openBridge({ ...permissive([]), maxConcurrency: 0 })).rejects.toThrow(RangeError)
})

test.each([0, -1, 1.5, '2'])('the limit %j in a definition is refused', (maxConcurrency) => {
  const { issues } = readConfig(JSON.stringify({ mcpServers: { a: { command: 'a', maxConcurrency } } }), {
    file: 'mcp.json',
  })
  expect(issues[0]).toMatchObject({
    severity: 'error',
    path: '/mcpServers/a/maxConcurrency',
    expected: 'a whole number greater than zero',
  })
})
