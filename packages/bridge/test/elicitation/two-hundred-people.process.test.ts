import { AsyncLocalStorage } from 'node:async_hooks'
import { type Bridge, type BridgeOptions, openBridge, type ServerSpec, toText } from '@toolbridge/bridge'
import { McpClient } from '@toolbridge/client'
import { StdioTransport } from '@toolbridge/client/stdio'
import {
  type CuriousFixture,
  fixtureServers,
  nodeWebSocket,
  startCuriousFixture,
} from '@toolbridge/testkit/servers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openChannels } from './people/channels.ts'
import { askOnce, type CallTool, createCrowd, createRandom, type Moment, pick } from './people/crowd.ts'
import { Ledger, type Person } from './people/ledger.ts'
import { nodeServer, permissive } from '../servers/specs.ts'

const isLong = process.env['TOOLBRIDGE_LONG'] !== undefined
const peopleCount = 200
/** For each of the two ways to start servers. */
const [bursts, callsPerBurst] = isLong ? [10, 5] : [1, 1]
const maxProcesses = 24
/** The two servers over stdio have one more each, for the bridge's own origin. */
const maxConnectionsPerServer = maxProcesses / 2 - 1

const legacyMoments: readonly Moment[] = ['during', 'during', 'elsewhere', 'late', 'after-cancel']

let legacy: CuriousFixture
let modern: CuriousFixture

beforeAll(async () => {
  ;[legacy, modern] = await Promise.all([startCuriousFixture('legacy'), startCuriousFixture('modern')])
})

afterAll(async () => {
  await Promise.all([legacy.close(), modern.close()])
})

function curiousServers(start: 'lazy' | 'eager'): readonly ServerSpec[] {
  const eras = [
    ['legacy', legacy],
    ['modern', modern],
  ] as const
  return eras.flatMap(([era, { httpUrl, webSocketUrl }]): readonly ServerSpec[] => {
    const stdio = { ...nodeServer(`${era}_stdio`, fixtureServers.curious, era), start }
    const { command: _command, args: _args, env: _env, ...commons } = stdio
    return [
      stdio,
      { ...commons, name: `${era}_http`, transport: 'http', url: httpUrl, headers: {} },
      { ...commons, name: `${era}_ws`, transport: 'ws', url: webSocketUrl, headers: {} },
    ]
  })
}

async function openCurious(
  start: 'lazy' | 'eager',
  questions: NonNullable<BridgeOptions['questions']>,
): Promise<Bridge> {
  return openBridge({
    ...permissive(curiousServers(start)),
    webSocket: await nodeWebSocket(),
    questions: { maxPerMinute: Infinity, maxWaitMs: 300_000, ...questions },
    callTimeoutMs: 600_000,
  })
}

function caller(bridge: Bridge, server: string): CallTool {
  return async (tool, args, { origin, answerer }, options) =>
    toText(await bridge.call(`${server}__${tool}`, args, { origin, answerer, ...options }))
}

/**
 * A server for a person to use. In a short run, one in six people uses a local one, each with a process of their own: more
 * people than processes are allowed.
 */
function pickServer(random: () => number): string {
  const all = curiousServers('eager')
  const isLocal = random() < (isLong ? 1 / 3 : 1 / 6)
  return pick(
    all.filter(({ transport }) => (transport === 'stdio') === isLocal),
    random,
  ).name
}

/** Several calls at once, to one server that a person happens to use now. */
async function burst(bridge: Bridge, person: Person, ledger: Ledger, random: () => number): Promise<void> {
  const name = pickServer(random)
  const moments = name.startsWith('legacy') ? legacyMoments : (['during'] as const)
  const calls = Array.from({ length: callsPerBurst }, () => {
    const moment = pick(moments, random)
    const delayMs = Math.floor(random() * 30)
    return askOnce(caller(bridge, name), person, ledger, moment, delayMs, `${moment} at ${name}`)
  })
  await Promise.all(calls)
}

/** The most processes that a bridge had at any time while this watched. */
function watchProcesses(bridge: Bridge): { readonly most: () => number; stop(): void } {
  let most = 0
  const timer = setInterval(() => {
    most = Math.max(most, bridge.processes().length)
  }, 5)
  return { most: () => most, stop: () => clearInterval(timer) }
}

describe('two hundred people who use one definition at the same time', () => {
  test.each(['eager', 'lazy'] as const)(
    'are asked their own questions and no others, none is lost, and processes stay within their bound (%s)',
    { timeout: isLong ? 1_800_000 : 600_000 },
    async (start) => {
      const startedAt = performance.now()
      const ledger = new Ledger()
      await using channels = await openChannels(ledger)
      const random = createRandom(start === 'lazy' ? 1 : 2)
      await using bridge = await openCurious(start, {
        maxConnectionsPerServer,
        minIdleMs: isLong ? 1_000 : 700,
      })
      const processes = watchProcesses(bridge)
      await Promise.all(
        createCrowd(peopleCount, channels).map(async (person) => {
          for (let round = 0; round < bursts; round++) await burst(bridge, person, ledger, random)
        }),
      )
      await expect.poll(() => ledger.lost).toEqual([])
      processes.stop()
      expect(ledger.misdelivered).toEqual([])
      expect(ledger.repeated).toEqual([])
      expect(ledger.arrivedCount).toBe(peopleCount * bursts * callsPerBurst)
      expect(processes.most()).toBeLessThanOrEqual(maxProcesses)
      if (isLong) {
        const seconds = Math.round((performance.now() - startedAt) / 1_000)
        const numbers = [start, ledger.arrivedCount, 'calls', processes.most(), 'processes', seconds, 's']
        process.stdout.write(`${numbers.join(' ')}\n`)
      }
    },
  )
})

describe('a connection that several conversations share', () => {
  test.each(['legacy_stdio', 'legacy_http', 'legacy_ws'])('cannot be asked over (%s)', async (server) => {
    const ledger = new Ledger()
    await using channels = await openChannels(ledger)
    await using bridge = await openCurious('lazy', { perOrigin: 'none' })
    const people = createCrowd(8, channels, 1)
    await Promise.all(
      people.map(async (person) => {
        expect(await caller(bridge, server)('can_ask', {}, person, {})).toBe('no')
        const token = ledger.token(person)
        expect(await caller(bridge, server)('ask_anyway', { token }, person, {})).toBe('refused -32601')
        ledger.cancel(token)
      }),
    )
    expect(ledger.arrivedCount).toBe(0)
  })

  test.each(['modern_stdio', 'modern_http', 'modern_ws'])(
    'carries the questions of each in the results of its own calls (%s)',
    async (server) => {
      const ledger = new Ledger()
      await using channels = await openChannels(ledger)
      await using bridge = await openCurious('lazy', {})
      const people = createCrowd(20, channels, 1)
      await Promise.all(people.map((person) => askOnce(caller(bridge, server), person, ledger, 'during', 0)))
      expect([ledger.lost, ledger.misdelivered, ledger.repeated]).toEqual([[], [], []])
      if (server !== 'modern_stdio') return
      // One for the bridge's own origin, and one for the person in all those conversations.
      expect(bridge.processes().map(({ server: name }) => name)).toEqual([server, server])
      const [someone] = people
      if (someone === undefined) throw new Error('there are people')
      await caller(bridge, server)('ask_anyway', { token: 'nobody' }, someone, {})
      expect(ledger.misdelivered).toEqual([])
    },
  )
})

test('the crowd finds out a bridge that goes by asynchronous context over a shared connection [d.6-1]', async () => {
  const ledger = new Ledger()
  await using channels = await openChannels(ledger)
  const scope = new AsyncLocalStorage<Person>()
  const people = createCrowd(20, channels)
  const client = new McpClient(
    new StdioTransport({ command: process.execPath, args: [fixtureServers.curious, 'legacy'] }),
    {
      onElicitation: async ({ message }) => {
        const { name } = scope.getStore() ?? { name: 'nobody' }
        ledger.arrive(message, name)
        return { action: 'accept', content: { name } }
      },
    },
  )
  // As the first call would, on first use.
  let connecting: Promise<unknown> | undefined
  const calls = people.map((person) =>
    scope.run(person, async () => {
      await (connecting ??= client.connect())
      await client.callTool('ask', { token: ledger.token(person), when: 'during', delayMs: 5 })
    }),
  )
  await Promise.all(calls)
  await client.close()
  expect(ledger.lost).toEqual([])
  expect(ledger.misdelivered.length).toBeGreaterThan(0)
})
