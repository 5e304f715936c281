import {
  type Answerer,
  type Bridge,
  type BridgeEvent,
  type BridgeOptions,
  type CallOptions,
  openBridge,
  type Origin,
  toText,
} from '@toolbridge/bridge'
import { createMemoryPair, type MemoryTransport } from '@toolbridge/client'
import { functionAnswerer } from '@toolbridge/bridge/questions'
import { canary } from '@toolbridge/testkit/secrets'
import { startCuriousFixture } from '@toolbridge/testkit/servers'
import { describe, expect, test, vi } from 'vitest'
import { curiousInMemory } from '../servers/curious-in-memory.ts'
import { inMemory } from '../servers/in-memory.ts'
import { permissive } from '../servers/specs.ts'

/** A channel that answers with its name and remembers what it was asked. */
interface TestChannel extends Answerer {
  readonly asked: string[]
}

function channelCalled(name: string, channel?: string): TestChannel {
  const asked: string[] = []
  return {
    asked,
    ...(channel === undefined ? {} : { channel }),
    ask: async ({ message }) => {
      asked.push(message)
      return { action: 'accept', content: { name } }
    },
  }
}

const alice: Origin = { principal: 'alice', conversation: 'one' }

async function openCurious(options: Partial<BridgeOptions> = {}) {
  const curious = curiousInMemory()
  const events: BridgeEvent[] = []
  const bridge = await openBridge({
    ...permissive([curious.spec]),
    transportOf: curious.transportOf,
    journal: (event) => events.push(event),
    ...options,
  })
  const codes = (): readonly string[] =>
    events.flatMap((event) => (event.type === 'diagnostic' ? [event.code] : []))
  return { bridge, curious, codes, [Symbol.asyncDispose]: () => bridge.close() }
}

async function ask(bridge: Bridge, token: string, options: CallOptions, when = 'during'): Promise<string> {
  return toText(await bridge.call('curious__ask', { token, when }, options))
}

/** Makes a call that is cancelled when it has arrived; the server asks after that. */
async function askAfterCancel(bridge: Bridge, token: string, options: CallOptions): Promise<void> {
  const controller = new AbortController()
  const onProgress = (): void => controller.abort(new Error('enough'))
  const call = ask(bridge, token, { ...options, signal: controller.signal, onProgress }, 'after-cancel')
  await expect(call).rejects.toThrow('enough')
}

describe('calls at the same time with different answerers are different origins', () => {
  test('so each is asked on its own channel, in one conversation [S0-23] [S0-30] [d.6-1] [C11]', async () => {
    await using opened = await openCurious()
    const channels = ['email', 'terminal', 'chat'].map((name) => channelCalled(name))
    const answers = await Promise.all(
      channels.map((answerer, index) => ask(opened.bridge, `for ${index}`, { origin: alice, answerer })),
    )
    expect(answers).toEqual(['email', 'terminal', 'chat'])
    expect(channels.map(({ asked }) => asked)).toEqual([['for 0'], ['for 1'], ['for 2']])
  })

  test("so is a call without an answerer, which is asked on the bridge's channel [S0-29]", async () => {
    const [terminal, email] = [channelCalled('terminal'), channelCalled('email')]
    await using opened = await openCurious({ answerer: terminal })
    const { bridge } = opened
    const answers = await Promise.all([
      ask(bridge, 'by terminal', {}),
      ask(bridge, 'by email', { answerer: email }),
      ask(bridge, 'by terminal too', {}),
    ])
    expect(answers).toEqual(['terminal', 'email', 'terminal'])
    expect(email.asked).toEqual(['by email'])
  })

  test('and answerers that name the same channel are one, over one connection', async () => {
    await using opened = await openCurious()
    const calls = ['a', 'b', 'c'].map((name) =>
      ask(opened.bridge, name, { answerer: channelCalled('same person', 'chat') }),
    )
    expect(await Promise.all(calls)).toEqual(Array(3).fill('same person'))
    expect(opened.curious.opened()).toBe(1)
  })
})

describe('an idle connection', () => {
  test('passes to the next answerer of its conversation once every call on it was answered', async () => {
    await using opened = await openCurious()
    for (let round = 0; round < 50; round++)
      expect(await ask(opened.bridge, `${round}`, { answerer: channelCalled(`${round}`) })).toBe(`${round}`)
    expect(opened.curious.opened()).toBe(1)
    expect(opened.codes()).toEqual([])
  })

  test('stays with its answerer when a call was cancelled, whose question still comes [d.6-1]', async () => {
    await using opened = await openCurious()
    const [first, second] = [channelCalled('first'), channelCalled('second')]
    await askAfterCancel(opened.bridge, 'after all', { origin: alice, answerer: first })
    expect(await ask(opened.bridge, 'mine', { origin: alice, answerer: second })).toBe('second')
    await expect.poll(() => first.asked).toEqual(['after all'])
    expect(second.asked).toEqual(['mine'])
    // One for the bridge's own origin, and one for each answerer.
    expect(opened.curious.opened()).toBe(3)
  })

  test('stays with its answerer when a call timed out', async () => {
    await using opened = await openCurious()
    const [first, second] = [channelCalled('first'), channelCalled('second')]
    const slow = { origin: alice, answerer: first, timeoutMs: 1 }
    await expect(ask(opened.bridge, 'never', slow, 'after-cancel')).rejects.toMatchObject({ kind: 'timeout' })
    await ask(opened.bridge, 'mine', { origin: alice, answerer: second })
    expect(opened.curious.opened()).toBe(3)
  })

  test('stays with its conversation and principal, no matter who else calls', async () => {
    await using opened = await openCurious()
    const answerer = channelCalled('same')
    const others = [alice, { ...alice, conversation: 'two' }, { ...alice, principal: 'bob' }]
    for (const origin of others) await ask(opened.bridge, 'hello', { origin, answerer })
    expect(opened.curious.opened()).toBe(1 + others.length)
  })

  test('that has passed on declines a question outside of calls, with a diagnostic [C11]', async () => {
    await using opened = await openCurious()
    const [first, second] = [channelCalled('first'), channelCalled('second')]
    await ask(opened.bridge, 'one', { answerer: first })
    await ask(opened.bridge, 'two', { answerer: second }, 'late')
    await expect.poll(() => opened.codes()).toEqual(['question_unattributed'])
    expect([first.asked, second.asked]).toEqual([['one'], []])
  })

  test('that has not passed on brings such a question to its only answerer', async () => {
    await using opened = await openCurious()
    const answerer = channelCalled('only')
    await ask(opened.bridge, 'one', { answerer })
    await ask(opened.bridge, 'two', { answerer }, 'late')
    await expect.poll(() => answerer.asked).toEqual(['one', 'two'])
    expect(opened.codes()).toEqual([])
  })
})

describe('an answerer per call', () => {
  test('opens no more connections than the limit: calls wait for one that is free', async () => {
    const maxConnectionsPerServer = 4
    await using opened = await openCurious({ questions: { maxConnectionsPerServer, maxPerMinute: Infinity } })
    const names = Array.from({ length: 100 }, (_unused, index) => `${index}`)
    const calls = names.map((name) =>
      ask(opened.bridge, name, { origin: alice, answerer: channelCalled(name) }),
    )
    expect(await Promise.all(calls)).toEqual(names)
    expect(opened.curious.opened()).toBe(1 + maxConnectionsPerServer)
  })

  test('that waits for a connection can be cancelled, and the others are served', async () => {
    await using opened = await openCurious({ questions: { maxConnectionsPerServer: 0 } })
    const { bridge } = opened
    const first = bridge.call(
      'curious__ask',
      { token: 'first', delayMs: 20 },
      { answerer: channelCalled('1') },
    )
    const controller = new AbortController()
    const second = ask(bridge, 'second', { answerer: channelCalled('2'), signal: controller.signal })
    const third = ask(bridge, 'third', { answerer: channelCalled('3') })
    controller.abort(new Error('enough'))
    await expect(second).rejects.toThrow('enough')
    expect(toText(await first)).toBe('1')
    expect(await third).toBe('3')
    expect(opened.curious.opened()).toBe(1)
  })
})

describe('an anonymous conversation', () => {
  const anonymous = (conversation: string): Origin => ({
    principal: 'alice',
    conversation,
    isAnonymous: true,
  })

  test('is an origin of its own, and its idle connection serves the next', async () => {
    await using opened = await openCurious()
    const names = Array.from({ length: 20 }, (_unused, index) => `${index}`)
    for (const name of names)
      await ask(opened.bridge, name, { origin: anonymous(name), answerer: channelCalled(name, 'inbox') })
    expect(opened.curious.opened()).toBe(2)
    const calls = ['a', 'b'].map((name) =>
      ask(opened.bridge, name, { origin: anonymous(name), answerer: channelCalled(name, 'inbox') }),
    )
    expect(await Promise.all(calls)).toEqual(['a', 'b'])
    expect(opened.curious.opened()).toBe(3)
  })

  test('is offered no approval for the rest of it, unlike a named one with any answerer', async () => {
    const offered: unknown[] = []
    const approver = (): Answerer =>
      functionAnswerer((question) => {
        if (question.kind === 'approval') offered.push(question.decisions)
        return { action: 'accept', decision: 'tool' }
      })
    await using opened = await openCurious({ permissions: { mode: 'ask' } })
    const call = (origin: Origin) =>
      opened.bridge.call('curious__can_ask', {}, { origin, answerer: approver() })
    await call(anonymous('one'))
    await call(anonymous('one'))
    expect(offered).toEqual([
      ['once', 'always'],
      ['once', 'always'],
    ])
    await call(alice)
    await call(alice)
    expect(offered).toHaveLength(3)
  })
})

/** A server with one tool, which asks for a field of this name and answers with what became of the question. */
function nosyServer(field: string): MemoryTransport {
  const [link, end] = createMemoryPair()
  const requestedSchema = { type: 'object', properties: { [field]: { type: 'string' } } }
  const results: Readonly<Record<string, object>> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'nosy', version: '1' },
    },
    'tools/list': { tools: [{ name: 'pry', inputSchema: { type: 'object' } }] },
  }
  let called: string | number = 0
  end.onmessage = (message) => {
    if (!('id' in message) || message.id === undefined || message.id === null) return
    if ('result' in message) {
      const { action } = message.result as { readonly action: string }
      const result = { content: [{ type: 'text', text: action }] }
      void end.send({ jsonrpc: '2.0', id: called, result })
    } else if ('method' in message && message.method === 'tools/call') {
      called = message.id
      const params = { message: 'Tell me', requestedSchema }
      void end.send({ jsonrpc: '2.0', id: 'question', method: 'elicitation/create', params })
    } else if ('method' in message) {
      const result = results[message.method]
      const error = { code: -32601, message: 'unknown' }
      void end.send({ jsonrpc: '2.0', id: message.id, ...(result === undefined ? { error } : { result }) })
    }
  }
  return link
}

describe('without a journal', () => {
  test('a declined question is one line on stderr, without secrets [S1-42] [D25]', async () => {
    const secret = canary('definition')
    const spec = { ...inMemory('elicit', 'a\nshop'), env: { TOKEN: secret } }
    const transportOf = (): MemoryTransport => nosyServer(`password ${secret}`)
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    try {
      await using bridge = await openBridge({ ...permissive([spec]), transportOf })
      expect(toText(await bridge.call(bridge.tools[0]?.name ?? ''))).toBe('decline')
      const lines = written.mock.calls.map(([text]) => String(text))
      expect(lines).toHaveLength(1)
      expect(lines[0]).toMatch(
        /^server "a shop" asks for a secret by a form \("password .*"\).* declined .*\n$/,
      )
      expect(lines[0]).not.toContain(secret)
    } finally {
      written.mockRestore()
    }
  })

  test('and with one, stderr stays empty', async () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    try {
      await using opened = await openCurious()
      expect(await ask(opened.bridge, 'anybody?', {})).toBe('decline')
      expect(opened.codes()).toEqual(['question_unanswerable'])
      expect(written).not.toHaveBeenCalled()
    } finally {
      written.mockRestore()
    }
  })
})

test('over HTTP a question on the stream of a call goes to the answerer of that call [S0-23] [S0-30]', async () => {
  await using server = await startCuriousFixture('legacy')
  const { command: _command, args: _args, env: _env, ...commons } = inMemory('elicit', 'curious')
  const spec = { ...commons, transport: 'http', url: server.httpUrl, headers: {} } as const
  await using bridge = await openBridge(permissive([spec]))
  const channels = ['a', 'b', 'c', 'd'].map((name) => channelCalled(name, 'shared'))
  const answers = await Promise.all(
    channels.map((answerer, index) => ask(bridge, `for ${index}`, { answerer })),
  )
  expect(answers).toEqual(['a', 'b', 'c', 'd'])
  expect(channels.map(({ asked }) => asked)).toEqual([['for 0'], ['for 1'], ['for 2'], ['for 3']])
})
