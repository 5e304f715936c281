import {
  type Answerer,
  type BridgeEvent,
  type BridgeOptions,
  openBridge,
  type Origin,
  type Question,
  toText,
} from '@toolbridge/bridge'
import { canary } from '@toolbridge/testkit/secrets'
import { startHttpFixture } from '@toolbridge/testkit/servers'
import { describe, expect, test } from 'vitest'
import { fakeTime } from '../servers/fake-time.ts'
import { curiousInMemory } from '../servers/curious-in-memory.ts'
import { inMemory } from '../servers/in-memory.ts'
import { fixture, isRunning, permissive } from '../servers/specs.ts'

/** Answers every form with the given values and remembers what it was asked. */
function personCalled(name: string): Answerer & { readonly asked: Question[] } {
  const asked: Question[] = []
  return {
    asked,
    ask: async (question) => {
      asked.push(question)
      await new Promise((resolve) => setImmediate(resolve))
      return { action: 'accept', content: { name } }
    },
  }
}

function diagnostics(events: readonly BridgeEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === 'diagnostic' ? [event.code] : []))
}

const alice: Origin = { principal: 'alice', conversation: 'one' }
const bob: Origin = { principal: 'bob', conversation: 'one' }

async function everybodyGetsTheirOwn(options: BridgeOptions): Promise<void> {
  await using bridge = await openBridge(options)
  const people = [alice, bob, { ...alice, conversation: 'two' }].map((origin) => {
    const answerer = personCalled(`${origin.principal}-${origin.conversation}`)
    return { origin, answerer, name: `${origin.principal}-${origin.conversation}` }
  })
  const rounds = Array.from({ length: 15 }, (_unused, round) => round)
  const calls = rounds.flatMap((round) =>
    people.map(async ({ origin, answerer, name }) => {
      const delayMs = (round * 7) % 20
      const result = await bridge.call('elicit__whoami_slow', { delayMs }, { origin, answerer })
      expect(toText(result)).toBe(`You are ${name}.`)
    }),
  )
  await Promise.all(calls)
  for (const { origin, answerer } of people) {
    expect(answerer.asked).toHaveLength(rounds.length)
    expect(new Set(answerer.asked.map((question) => JSON.stringify(question.origin)))).toEqual(
      new Set([JSON.stringify(origin)]),
    )
    expect(answerer.asked.every((question) => question.server === 'elicit')).toBe(true)
  }
}

describe('everybody who calls at the same time is asked their own questions', () => {
  test('by a server over stdio', async () => {
    await everybodyGetsTheirOwn(permissive([fixture('elicit')]))
  })

  test('by a server over HTTP', async () => {
    await using server = await startHttpFixture('elicit')
    const { command: _command, args: _args, env: _env, ...commons } = fixture('elicit')
    await everybodyGetsTheirOwn(permissive([{ ...commons, transport: 'http', url: server.url, headers: {} }]))
  })
})

test('the default answerer is asked in every conversation of its own person, and of nobody else', async () => {
  const events: BridgeEvent[] = []
  const answerer = personCalled('Alice')
  await using bridge = await openBridge({
    ...permissive([inMemory('elicit')]),
    origin: alice,
    answerer,
    journal: (event) => events.push(event),
  })
  expect(toText(await bridge.call('elicit__greet_me'))).toBe('Hello, Alice!')
  const elsewhere = { ...alice, conversation: 'two' }
  expect(toText(await bridge.call('elicit__greet_me', {}, { origin: elsewhere }))).toBe('Hello, Alice!')
  expect(diagnostics(events)).toEqual([])
  expect(toText(await bridge.call('elicit__greet_me', {}, { origin: bob }))).toBe('declined')
  expect(diagnostics(events)).toEqual(['question_unanswerable'])
  expect(answerer.asked.map((question) => question.origin)).toEqual([alice, elsewhere])
})

describe('a question that comes when its call is over', () => {
  test('goes where its origin had the latest questions brought, though others are calling', async () => {
    const [forAlice, forBob, local] = ['Alice', 'Bob', 'Local'].map(personCalled)
    if (!forAlice || !forBob || !local) throw new Error('three people')
    await using bridge = await openBridge({ ...permissive([inMemory('late')]), answerer: local })
    const controller = new AbortController()
    const bobs = bridge.call(
      'late__last_action',
      {},
      { origin: bob, answerer: forBob, signal: controller.signal },
    )
    await bridge.call('late__ask_later', {}, { origin: alice, answerer: forAlice })
    expect(toText(await bridge.call('late__last_action', {}, { origin: alice }))).toBe('accept')
    expect(forAlice.asked).toMatchObject([{ origin: alice, message: 'Your name?' }])
    expect([forBob.asked, local.asked]).toEqual([[], []])
    controller.abort(new Error('enough'))
    await expect(bobs).rejects.toThrow('enough')
  })

  test('goes there when the call was cancelled too', async () => {
    const forAlice = personCalled('Alice')
    await using bridge = await openBridge(permissive([inMemory('late')]))
    const controller = new AbortController()
    const call = bridge.call(
      'late__ask_anyway',
      {},
      { origin: alice, answerer: forAlice, signal: controller.signal },
    )
    // One pipe keeps the order: when this is answered, the call before it has arrived.
    await bridge.call('late__ready', {}, { origin: alice })
    controller.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
    expect(toText(await bridge.call('late__last_action', {}, { origin: alice }))).toBe('accept')
    expect(forAlice.asked).toMatchObject([{ origin: alice }])
  })

  test('is declined when nobody is there to take it [S0-28]', async () => {
    const events: BridgeEvent[] = []
    const local = personCalled('Local')
    await using bridge = await openBridge({
      ...permissive([inMemory('late')]),
      answerer: local,
      journal: (event) => events.push(event),
    })
    await bridge.call('late__ask_later', {}, { origin: alice })
    expect(toText(await bridge.call('late__last_action', {}, { origin: alice }))).toBe('decline')
    expect(local.asked).toEqual([])
    expect(diagnostics(events)).toEqual(['question_unanswerable'])
  })

  test('goes to the default answerer when it is that person [S0-28]', async () => {
    const answerer = personCalled('Local')
    await using bridge = await openBridge({ ...permissive([inMemory('late')]), answerer })
    await bridge.call('late__ask_later')
    await expect.poll(() => answerer.asked).toMatchObject([{ message: 'Your name?', server: 'late' }])
    expect(answerer.asked[0]).not.toHaveProperty('tool')
  })
})

test('a question names the server, the tool and the form [S1-40] [S1-44] [D26] [C12]', async () => {
  const answerer = personCalled('Ada')
  await using bridge = await openBridge({ ...permissive([inMemory('elicit', 'my server')]), answerer })
  await bridge.call('my_server__greet_me')
  expect(answerer.asked).toMatchObject([
    {
      kind: 'form',
      server: 'my server',
      tool: 'my_server__greet_me',
      message: 'What is your name?',
      schema: { type: 'object', required: ['name'] },
    },
  ])
})

test.each(['decline', 'cancel'] as const)('to %s is an answer of its own [C12]', async (action) => {
  await using bridge = await openBridge({
    ...permissive([inMemory('elicit')]),
    answerer: { ask: async () => ({ action }) },
  })
  expect(toText(await bridge.call('elicit__greet_me'))).toBe(action === 'decline' ? 'declined' : 'cancelled')
})

test('an answer is completed with defaults', async () => {
  await using bridge = await openBridge({
    ...permissive([inMemory('elicit')]),
    answerer: { ask: async () => ({ action: 'accept', content: { count: 3 } }) },
  })
  expect(toText(await bridge.call('elicit__order_pizza'))).toBe('3 medium cheese pizza, picked up')
})

test.each([
  ['a value out of bounds', { size: 'small', count: 99 }],
  ['a choice that is none', { size: 'enormous', count: 1 }],
  ['a value of another type', { size: 'small', count: 'one' }],
  ['a field that was not asked for', { size: 'small', count: 1, extra: 'x' }],
])('an answer with %s never reaches the server [C12]', async (_what, content) => {
  const events: BridgeEvent[] = []
  await using bridge = await openBridge({
    ...permissive([inMemory('elicit')]),
    answerer: { ask: async () => ({ action: 'accept', content }) },
    journal: (event) => events.push(event),
  })
  expect(toText(await bridge.call('elicit__order_pizza'))).toBe('cancelled')
  expect(diagnostics(events)).toEqual(['answer_invalid'])
})

test('an answerer that fails cancels the question, and what it threw stays with it', async () => {
  const events: BridgeEvent[] = []
  await using bridge = await openBridge({
    ...permissive([inMemory('elicit')]),
    answerer: { ask: () => Promise.reject(new Error(canary('thrown'))) },
    journal: (event) => events.push(event),
  })
  expect(toText(await bridge.call('elicit__greet_me'))).toBe('cancelled')
  expect(diagnostics(events)).toEqual(['answerer_failed'])
  expect(JSON.stringify(events)).not.toContain('Kanarienvogel')
})

/** A person who never answers: resolves `asked` with the signal that withdraws the question. */
function silentPerson(): { readonly answerer: Answerer; readonly asked: Promise<AbortSignal> } {
  let wasAsked: (signal: AbortSignal) => void = () => {}
  const asked = new Promise<AbortSignal>((resolve) => {
    wasAsked = resolve
  })
  const ask: Answerer['ask'] = (_question, { signal }) => {
    wasAsked(signal)
    return new Promise(() => {})
  }
  return { answerer: { ask }, asked }
}

describe('an open question is withdrawn', () => {
  test('when its call is cancelled', async () => {
    const { answerer, asked } = silentPerson()
    await using bridge = await openBridge({ ...permissive([inMemory('elicit')]), answerer })
    const controller = new AbortController()
    const call = bridge.call('elicit__greet_me', {}, { signal: controller.signal })
    const withdrawn = await asked
    expect(withdrawn.aborted).toBe(false)
    controller.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
    expect(withdrawn.aborted).toBe(true)
  })

  test('when the bridge closes', async () => {
    const { answerer, asked } = silentPerson()
    const bridge = await openBridge({ ...permissive([inMemory('elicit')]), answerer })
    const call = expect(bridge.call('elicit__greet_me')).rejects.toMatchObject({ kind: 'closed' })
    const withdrawn = await asked
    await bridge.close()
    await call
    expect(withdrawn.aborted).toBe(true)
  })

  test('when the server dies', async () => {
    const { answerer, asked } = silentPerson()
    await using bridge = await openBridge({ ...permissive([fixture('elicit')]), answerer })
    const call = expect(bridge.call('elicit__greet_me')).rejects.toMatchObject({ kind: 'closed' })
    const withdrawn = await asked
    const { pid } = bridge.status()[0] ?? {}
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
    await call
    expect(withdrawn.aborted).toBe(true)
  })
})

test('a late question stays open though another call, which the server answers, is over before it', async () => {
  const events: BridgeEvent[] = []
  let answerLate = (): void => {}
  const isOver = new Promise<void>((resolve) => {
    answerLate = resolve
  })
  const answerer: Answerer = {
    ask: async ({ message }) => {
      if (message === 'late') await isOver
      return { action: 'accept', content: { name: message } }
    },
  }
  const curious = curiousInMemory()
  await using bridge = await openBridge({
    ...permissive([curious.spec]),
    transportOf: curious.transportOf,
    answerer,
    journal: (event) => events.push(event),
  })
  const during = bridge.call('curious__ask', { token: 'during', when: 'during', delayMs: 100 })
  await bridge.call('curious__ask', { token: 'late', when: 'late' })
  expect(toText(await during)).toBe('during')
  answerLate()
  const actions = (): unknown =>
    events.flatMap((event) => (event.type === 'question.answered' ? event.action : []))
  await expect.poll(actions).toEqual(['accept', 'accept'])
})

test('the time a person takes to answer does not count against the call', async () => {
  const pass = fakeTime()
  await using bridge = await openBridge({
    ...permissive([inMemory('elicit')]),
    callTimeoutMs: 30_000,
    answerer: {
      ask: async () => {
        await pass(60_000)
        return { action: 'accept', content: { name: 'Slow' } }
      },
    },
  })
  expect(toText(await bridge.call('elicit__greet_me'))).toBe('Hello, Slow!')
})

test('the connections of an origin are closed when it is released, and opened again when it calls', async () => {
  const { answerer, asked } = silentPerson()
  await using bridge = await openBridge(permissive([fixture('elicit')]))
  const call = expect(bridge.call('elicit__greet_me', {}, { origin: alice, answerer })).rejects.toMatchObject(
    {
      kind: 'closed',
    },
  )
  await asked
  await bridge.releaseOrigin(alice)
  await call
  expect(isRunning(bridge.status()[0]?.pid)).toBe(true)
  const again = await bridge.call('elicit__greet_me', {}, { origin: alice, answerer: personCalled('Alice') })
  expect(toText(again)).toBe('Hello, Alice!')
})
