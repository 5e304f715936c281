import { type Answerer, type Bridge, openBridge, type Question, toText } from '@toolbridge/bridge'
import { expect, test } from 'vitest'
import { curiousInMemory } from '../servers/curious-in-memory.ts'
import { permissive } from '../servers/specs.ts'
import { askOnce, type CallTool } from './people/crowd.ts'
import { Ledger, type Person } from './people/ledger.ts'

const peopleCount = 200
const originCount = 25
const callsPerPerson = 100
const maxConnectionsPerServer = 240

/** How a person is reached: by one answerer, by a new one for each call, or by new ones that name one channel. */
type Reach = 'one' | 'new' | 'named'

/** A person once per call, with the answerer of that call. */
type PersonAt = () => Person

function createPerson(index: number, ledger: Ledger): PersonAt {
  const name = `person ${index}`
  const reach = (['one', 'new', 'named'] as const)[index % 3] as Reach
  const origin = { principal: `principal ${index % originCount}`, conversation: 'shared' }
  const ask: Answerer['ask'] = async ({ message }: Question) => {
    ledger.arrive(message, name)
    return message.endsWith('accept') ? { action: 'accept', content: { name } } : { action: 'decline' }
  }
  const one: Answerer = { ask }
  return () => {
    const answerer = reach === 'one' ? one : reach === 'new' ? { ask } : { ask, channel: name }
    return { name, origin, answerer }
  }
}

function caller(bridge: Bridge): CallTool {
  return async (tool, args, { origin, answerer }, options) =>
    toText(await bridge.call(`curious__${tool}`, args, { origin, answerer, ...options }))
}

/** Every fourth call asks. One call of every tenth person is cancelled, and its server asks afterwards. */
async function makeCalls(call: CallTool, personAt: PersonAt, index: number, ledger: Ledger): Promise<void> {
  const canAsk: string[] = []
  for (let round = 0; round < callsPerPerson; round++) {
    const person = personAt()
    if (round % 4 !== 0) canAsk.push(await call('can_ask', {}, person, {}))
    else if (round === 52 && index % 10 === 0)
      await askOnce(call, person, ledger, 'after-cancel', 0, 'after-cancel')
    // To check an answer is most of the work, so few questions get one.
    else await ask(call, person, ledger, round % 40 === 0 ? 'accept' : 'decline')
  }
  expect(canAsk).toEqual(Array.from({ length: (callsPerPerson / 4) * 3 }, () => 'yes'))
}

async function ask(call: CallTool, person: Person, ledger: Ledger, action: string): Promise<void> {
  const token = ledger.token(person, action)
  const said = await call('ask', { token, when: 'during' }, person, {})
  // Whom the server heard counts as well as who was asked.
  if (said !== (action === 'accept' ? person.name : 'decline')) ledger.arrive(token, said)
}

test('two hundred people on 25 shared origins make 20,000 calls with mixed answerers: every question reaches its own person, none is lost, and connections stay within their bound [S0-23] [S0-30] [d.6-1]', async () => {
  const ledger = new Ledger()
  const curious = curiousInMemory()
  await using bridge = await openBridge({
    ...permissive([curious.spec]),
    transportOf: curious.transportOf,
    questions: { maxConnectionsPerServer, maxPerMinute: Infinity, maxWaitMs: 600_000 },
    journal: () => {},
  })
  const people = Array.from({ length: peopleCount }, (_unused, index) => createPerson(index, ledger))
  await Promise.all(people.map((personAt, index) => makeCalls(caller(bridge), personAt, index, ledger)))
  expect(ledger.misdelivered).toEqual([])
  expect(ledger.repeated).toEqual([])
  // A question after its call was cancelled is declined when its connection has had several callers.
  expect(ledger.lost.filter((token) => !token.endsWith('after-cancel'))).toEqual([])
  expect(curious.most()).toBeLessThanOrEqual(maxConnectionsPerServer + 1)
})
