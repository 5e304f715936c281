import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Bridge } from '../../src/bridge.ts'
import {
  ToolkitClients,
  type ClientRequest,
  clientRequest,
} from '../../src/context/toolkits/toolkit-clients.ts'
import { ManualClock } from '../servers/manual-clock.ts'
import { plainServer } from '../servers/specs.ts'

/** What the table of clients sees of a bridge, without a process: thousands of them are opened here. */
class CountedBridge {
  readonly wanted: ClientRequest
  state = 'ready'
  closed = 0
  users = 0
  /** Whether it was ever closed while somebody used it. */
  isTorn = false

  constructor(wanted: ClientRequest) {
    this.wanted = wanted
  }

  status(): readonly { readonly state: string }[] {
    return [{ state: this.state }]
  }

  async close(): Promise<void> {
    this.isTorn ||= this.users > 0
    this.closed += 1
  }
}

const wanted = ['ada', 'bob'].flatMap((id) =>
  ['w1', 'w2'].flatMap((scope) =>
    ['old key', 'new key'].map((key) => clientRequest(scope, { id, kind: 'session' }, plainServer(key))),
  ),
)

type Step =
  | { readonly kind: 'use'; readonly client: number; readonly turns: number }
  | { readonly kind: 'clear'; readonly client: number }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'fail'; readonly client: number }

const client = fc.nat({ max: wanted.length - 1 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('use' as const), client, turns: fc.nat({ max: 9 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear' as const), client }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.nat({ max: 1500 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fail' as const), client }) },
)

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve()
}

test('whatever happens in whatever order, nobody gets another’s client, none is closed in use, and none is left open', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const opened: CountedBridge[] = []
      const clock = new ManualClock()
      const clients = new ToolkitClients({
        clock,
        idleMs: 1000,
        open: async (each) => {
          await turns(3)
          const bridge = new CountedBridge(each)
          opened.push(bridge)
          return bridge as unknown as Bridge
        },
      })
      const uses: Promise<void>[] = []
      for (const each of steps) {
        const one = wanted[each.kind === 'wait' ? 0 : each.client]
        if (one === undefined) continue
        if (each.kind === 'wait') clock.advance(each.ms)
        else if (each.kind === 'clear') uses.push(clients.clear(({ key }) => key === one.key))
        else if (each.kind === 'fail') {
          for (const bridge of opened.filter((other) => other.wanted.key === one.key)) bridge.state = 'failed'
          expect(clients.opened(one)).toBeUndefined()
        } else uses.push(useFor(clients, one, each.turns))
        await turns(1)
      }
      await Promise.all(uses)
      expect(new Set(clients.list.map(({ key }) => key)).size).toBe(clients.list.length)
      await clients.close()
      expect(opened.filter(({ closed }) => closed !== 1)).toEqual([])
      expect(opened.filter(({ isTorn }) => isTorn)).toEqual([])
    }),
    { numRuns: process.env['TOOLBRIDGE_LONG'] === undefined ? 150 : 5000 },
  )
})

async function useFor(clients: ToolkitClients, one: ClientRequest, count: number): Promise<void> {
  await clients.use(one, undefined, async (bridge) => {
    const counted = bridge as unknown as CountedBridge
    expect(counted.wanted.key).toBe(one.key)
    expect(counted.closed).toBe(0)
    counted.users += 1
    await turns(count)
    counted.users -= 1
  })
}

test('opening that fails is told to all who wait, and forgotten', async () => {
  let attempts = 0
  const clients = new ToolkitClients({
    clock: new ManualClock(),
    idleMs: 1000,
    open: async () => {
      attempts += 1
      await turns(2)
      throw new Error('no luck')
    },
  })
  const [one] = wanted
  if (one === undefined) throw new TypeError('one client')
  const use = (): Promise<void> => clients.use(one, undefined, async () => {})
  await Promise.all([use(), use(), use()].map((each) => expect(each).rejects.toThrow('no luck')))
  expect([attempts, clients.list.length]).toEqual([1, 0])
  await expect(use()).rejects.toThrow('no luck')
  expect(attempts).toBe(2)
  await clients.close()
})

test('a principal at its limit gets another client for its longest unused one, and no other principal pays for it [C26] [S2-5]', async () => {
  const opened: CountedBridge[] = []
  const clock = new ManualClock()
  const clients = new ToolkitClients({
    clock,
    idleMs: 1000,
    maxClients: 2,
    open: async (each) => {
      const bridge = new CountedBridge(each)
      opened.push(bridge)
      return bridge as unknown as Bridge
    },
  })
  const [one, two, three] = wanted.filter(({ principal }) => principal.id === 'ada')
  const other = wanted.find(({ principal }) => principal.id === 'bob')
  if (!one || !two || !three || !other) throw new TypeError('three clients of one, one of another')
  for (const each of [other, one, two]) {
    await clients.use(each, undefined, async () => {})
    clock.advance(1)
  }
  await clients.use(one, undefined, async () => {})
  await clients.use(three, undefined, async () => {
    expect(opened.map(({ closed }) => closed)).toEqual([0, 0, 1, 0])
    await clients.use(one, undefined, async () => {
      await expect(clients.use(two, undefined, async () => {})).rejects.toMatchObject({
        code: 'quota_exceeded',
        message: expect.stringContaining('2 per user'),
      })
    })
  })
  await clients.use(two, undefined, async () => {})
  expect(clients.list).toHaveLength(3)
  await clients.close()
})

test('one that does not close is named, and does not keep the others open', async () => {
  const opened: CountedBridge[] = []
  const clients = new ToolkitClients({
    clock: new ManualClock(),
    idleMs: 1000,
    open: async (each) => {
      const bridge = new CountedBridge(each)
      opened.push(bridge)
      if (opened.length === 2) bridge.close = () => Promise.reject(new Error('stuck'))
      return bridge as unknown as Bridge
    },
  })
  for (const each of wanted.slice(0, 3)) await clients.use(each, undefined, async () => {})
  await expect(clients.close()).rejects.toMatchObject({ errors: [{ message: 'stuck' }] })
  expect(opened.map(({ closed }) => closed)).toEqual([1, 0, 1])
})
