import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type Answerer, type Bridge, type BridgeEvent, openBridge, toText } from '@toolbridge/bridge'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { curiousInMemory } from '../servers/curious-in-memory.ts'
import { permissive } from '../servers/specs.ts'

const origin = { principal: 'ada', conversation: 'chat' }
let collectGarbage: () => void

beforeAll(() => {
  setFlagsFromString('--expose-gc')
  collectGarbage = runInNewContext('gc') as () => void
})
afterAll(() => setFlagsFromString('--no-expose-gc'))

interface Opened {
  readonly bridge: Bridge
  readonly codes: readonly string[]
}

async function open(era: 'legacy' | 'modern'): Promise<Opened> {
  const curious = curiousInMemory(era)
  const codes: string[] = []
  const journal = (event: BridgeEvent): void => {
    if (event.type === 'diagnostic') codes.push(event.code)
  }
  const { transportOf } = curious
  const bridge = await openBridge({ ...permissive([curious.spec]), transportOf, journal })
  return { bridge, codes }
}

/** Calls with an answerer of its own, which nobody but the bridge knows afterwards. */
async function callAs(
  name: string,
  bridge: Bridge,
  asked: string[],
  when = 'during',
): Promise<WeakRef<Answerer>> {
  const answerer: Answerer = {
    ask: async () => {
      asked.push(name)
      return { action: 'accept', content: { name } }
    },
  }
  const said = await bridge.call('curious__ask', { token: 'who?', when }, { origin, answerer })
  expect(toText(said)).toBe(when === 'late' ? 'later' : name)
  return new WeakRef(answerer)
}

async function expectReleased(...answerers: readonly WeakRef<Answerer>[]): Promise<void> {
  await expect
    .poll(() => {
      collectGarbage()
      return answerers.filter((answerer) => answerer.deref() !== undefined).length
    })
    .toBe(0)
}

test('the answerer of a call is released when the call has ended, where a server asks in results', async () => {
  const { bridge } = await open('modern')
  await using _bridge = bridge
  const asked: string[] = []
  await expectReleased(await callAs('first', bridge, asked))
  expect(asked).toEqual(['first'])
})

test('answerers of calls are released when another call had the connection, and a later question goes nowhere', async () => {
  const { bridge, codes } = await open('legacy')
  await using _bridge = bridge
  const asked: string[] = []
  const answerers = [await callAs('first', bridge, asked), await callAs('second', bridge, asked)]
  answerers.push(await callAs('third', bridge, asked, 'late'))
  await expect.poll(() => codes).toContain('question_unattributed')
  await expectReleased(...answerers)
  expect(asked).toEqual(['first', 'second'])
})

test('the answerer of the only caller of a connection is released with the connection', async () => {
  const { bridge } = await open('legacy')
  await using _bridge = bridge
  const answerer = await callAs('only', bridge, [])
  await bridge.releaseOrigin(origin)
  await expectReleased(answerer)
})
