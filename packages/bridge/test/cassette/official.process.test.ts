import { openBridge, type BridgeOptions } from '@toolbridge/bridge'
import { findDrift, replayTransport } from '@toolbridge/bridge/cassette'
import { toText } from '@toolbridge/client'
import { canary } from '@toolbridge/testkit/secrets'
import { startHttpFixture, startSseFixture } from '@toolbridge/testkit/servers'
import { expect, test } from 'vitest'
import { realServers } from '../servers/real-servers.ts'
import { fixture, nodeServer, permissive } from '../servers/specs.ts'
import { recorded } from './recording.ts'

const { program, args } = realServers('.')['everything'] ?? { program: '', args: [] }
const everything = nodeServer('everything', program, ...args)
const modern = fixture('catalogue', 'catalogue', '--era', 'modern')

test('official servers of both eras are recorded without secrets and replayed with calls in another order', async () => {
  const calls = [
    ['everything__echo', { message: 'one' }],
    ['everything__echo', { message: 'two' }],
    ['everything__get_env', {}],
    ['catalogue__count', { to: 2 }],
    ['everything__trigger_long_running_operation', { duration: 0.02, steps: 2 }],
  ] as const
  const said: Record<string, string> = {}
  const progress: unknown[] = []
  const onProgress = (told: object): number => progress.push(told)
  const { text, cassette } = await recorded(permissive([everything, modern]), async (bridge) => {
    for (const [name, given] of calls)
      said[JSON.stringify([name, given])] = toText(await bridge.call(name, { ...given }, { onProgress }))
    await bridge.resources.list()
    await bridge.prompts.list()
  })
  expect(text).not.toContain(canary('environment'))
  expect(said['["everything__get_env",{}]']).toContain(canary('environment'))
  const eras = cassette.servers.map(({ name, connections }) => [name, connections.map(({ era }) => era)])
  expect(Object.fromEntries(eras)).toEqual({ catalogue: ['modern'], everything: ['legacy'] })
  const whenRecorded = progress.splice(0).length
  const transportOf: BridgeOptions['transportOf'] = ({ name }) => replayTransport(cassette, { server: name })
  await using bridge = await openBridge({ ...permissive([everything, modern]), transportOf })
  for (const [name, given] of calls.toReversed()) {
    const { [JSON.stringify([name, given])]: before = '' } = said
    const now = toText(await bridge.call(name, { ...given }, { onProgress }))
    expect(now).toBe(before.replaceAll(canary('environment'), '[redacted]'))
  }
  expect(progress).toHaveLength(whenRecorded)
  expect(whenRecorded).toBeGreaterThan(2)
  const options = { ...live(), server: 'everything' }
  const same = await findDrift(cassette, everything, options)
  // Every process of a test has another tag in its environment.
  expect(same.drift.map(({ subject }) => subject)).toEqual(['tools/call get-env'])
  expect(JSON.stringify(same)).not.toContain(canary('environment'))
  expect(same.compared).toBeGreaterThan(5)
  const { drift } = await findDrift(cassette, fixture('hello', 'everything'), options)
  expect(drift).toContainEqual({ kind: 'removed', subject: 'tool echo', differences: [] })
  expect(drift).toContainEqual({ kind: 'added', subject: 'tool hello', differences: [] })
})

function live(): { authority: BridgeOptions['authority']; signal: AbortSignal } {
  return { authority: permissive([]).authority, signal: new AbortController().signal }
}

test('Streamable HTTP in both eras and HTTP+SSE are recorded with their transport, without headers, and replayed', async () => {
  const [legacy, stateless, sse] = await Promise.all([
    startHttpFixture('elicit'),
    startHttpFixture('modern', { era: 'modern' }),
    startSseFixture(),
  ])
  await using _servers = {
    [Symbol.asyncDispose]: async () =>
      void (await Promise.all([legacy, stateless, sse].map((each) => each.close()))),
  }
  const headers = { authorization: `Bearer ${canary('header')}` }
  const options = {
    ...permissive({
      legacy: { url: legacy.url, headers },
      stateless: { url: stateless.url, headers },
      sse: { url: sse.url, type: 'sse' as const, headers },
    }),
    answerer: { ask: async () => ({ action: 'accept' as const, content: { name: 'Ada' } }) },
  }
  const greetings = ['legacy__greet_me', 'stateless__greet_me', 'sse__greet_me']
  const { text, cassette } = await recorded(options, async (bridge) => {
    for (const name of greetings) expect(toText(await bridge.call(name))).toBe('Hello, Ada!')
  })
  expect(text).not.toContain(canary('header'))
  const found = cassette.servers.map(({ name, connections: [first] }) => [
    name,
    `${first?.transport} ${first?.era}`,
  ])
  expect(Object.fromEntries(found)).toEqual({
    legacy: 'http legacy',
    sse: 'sse legacy',
    stateless: 'http modern',
  })
  const transportOf: BridgeOptions['transportOf'] = ({ name }) => replayTransport(cassette, { server: name })
  await using bridge = await openBridge({ ...options, transportOf })
  for (const name of greetings.toReversed()) expect(toText(await bridge.call(name))).toBe('Hello, Ada!')
})
