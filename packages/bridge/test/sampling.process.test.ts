import {
  type Answerer,
  type BridgeEvent,
  type BridgeOptions,
  openBridge,
  type Origin,
  type Question,
  type Sampler,
  type SamplerOptions,
  type SamplingOptions,
  toText,
} from '@toolbridge/bridge'
import type { SamplingRequest } from '@toolbridge/client'
import { describe, expect, test } from 'vitest'
import { Sampling } from '../src/sampling.ts'
import { inMemory } from './servers/in-memory.ts'
import { fixture, permissive } from './servers/specs.ts'

const alice: Origin = { principal: 'alice', conversation: 'one' }

/** A model that always says the same, and remembers what it was asked. */
function model(tokens?: number): Sampler & { readonly asked: (SamplerOptions & SamplingRequest)[] } {
  const asked: (SamplerOptions & SamplingRequest)[] = []
  return {
    asked,
    sample: async (request, options) => {
      asked.push({ ...request, ...options })
      const result = {
        role: 'assistant',
        content: { type: 'text', text: 'Roses.' },
        model: 'poet',
      } as const
      return { result, ...(tokens === undefined ? {} : { tokens }) }
    },
  }
}

/** Agrees, or not, and remembers to what. */
function person(action: 'accept' | 'decline'): Answerer & { readonly asked: Question[] } {
  const asked: Question[] = []
  return {
    asked,
    ask: async (question) => {
      asked.push(question)
      return { action }
    },
  }
}

function worldly(sampling: SamplingOptions, events: BridgeEvent[] = []): BridgeOptions {
  return {
    ...permissive([inMemory('worldly')]),
    permissions: { mode: 'allow', allow: ['sampling:*'] },
    sampling,
    journal: (event) => events.push(event),
  }
}

const think = {
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'Hm?' } }], maxTokens: 50 },
}

describe.each(['legacy', 'modern'])('a server of the %s era', (era) => {
  test('has the model answer on behalf of the caller, once that person agreed [C29]', async () => {
    const sampler = model()
    const answerer = person('accept')
    await using bridge = await openBridge({
      ...permissive([fixture('catalogue', 'poems', '--era', era)]),
      permissions: { mode: 'allow', ask: ['sampling:*'] },
      sampling: { sampler, servers: ['poems'] },
    })
    const result = await bridge.call('poems__write_poem', {}, { origin: alice, answerer })
    expect(toText(result)).toContain('Roses.')
    expect(sampler.asked).toMatchObject([{ server: 'poems', origin: alice, maxTokens: 20 }])
    expect(answerer.asked).toMatchObject([{ kind: 'approval', server: 'poems', origin: alice }])
    expect(answerer.asked[0]?.kind === 'approval' && answerer.asked[0].arguments.text).toContain(
      'Write a poem.',
    )
  })

  test('does not hear of a model when it is not among those that may use it [C29]', async () => {
    const sampler = model()
    await using bridge = await openBridge({
      ...permissive([fixture('catalogue', 'poems', '--era', era)]),
      sampling: { sampler, servers: ['others'] },
    })
    const outcome = await bridge.call('poems__write_poem', {}, { origin: alice }).then(toText, String)
    expect(outcome).not.toContain('Roses.')
    expect(sampler.asked).toEqual([])
  })
})

test.each([
  ['the person refuses', 'ask', person('decline')],
  ['nobody can be asked', 'ask', undefined],
  ['a rule forbids it', 'deny', person('accept')],
] as const)(
  'a server is refused when %s, and is told no more than that',
  async (_what, verdict, answerer) => {
    const sampler = model()
    const events: BridgeEvent[] = []
    await using bridge = await openBridge({
      ...worldly({ sampler, servers: ['worldly'] }, events),
      permissions: { mode: 'allow', [verdict]: ['sampling:*'] },
      ...(answerer === undefined ? {} : { answerer }),
    })
    expect(toText(await bridge.call('worldly__think', think))).toBe('{"error":-1}')
    expect(sampler.asked).toEqual([])
    expect(events).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ type: 'sampling.finished', outcome: 'refused' })]),
    )
  },
)

describe('the budget of a server', () => {
  test('bounds how often it may, for each conversation apart [C29]', async () => {
    const sampler = model()
    const events: BridgeEvent[] = []
    await using bridge = await openBridge(worldly({ sampler, servers: ['worldly'], maxCalls: 2 }, events))
    const said: string[] = []
    for (let call = 0; call < 3; call++) said.push(toText(await bridge.call('worldly__think', think)))
    expect(said.map((text) => text.includes('Roses.'))).toEqual([true, true, false])
    expect(events).toContainEqual(expect.objectContaining({ code: 'sampling_refused', server: 'worldly' }))
    expect(toText(await bridge.call('worldly__think', think, { origin: alice }))).toContain('Roses.')
    await bridge.releaseOrigin(alice)
    expect(toText(await bridge.call('worldly__think', think, { origin: alice }))).toContain('Roses.')
  })

  test('bounds the tokens of one answer and of all of them [C29]', async () => {
    const sampler = model(30)
    const options = { sampler, servers: ['worldly'], maxTokens: 50, maxTokensPerCall: 40 }
    await using bridge = await openBridge(worldly(options))
    const said: string[] = []
    for (let call = 0; call < 3; call++) said.push(toText(await bridge.call('worldly__think', think)))
    expect(sampler.asked.map(({ maxTokens }) => maxTokens)).toEqual([40, 20])
    expect(said.at(-1)).toBe('{"error":-1}')
  })

  test('cannot be stretched by asking for less than nothing', async () => {
    const sampler = model()
    const options = { sampler, servers: ['worldly'], maxTokens: 50 }
    await using bridge = await openBridge(worldly(options))
    const less = { params: { ...think.params, maxTokens: -1_000 } }
    expect(toText(await bridge.call('worldly__think', less))).toBe('{"error":-1}')
    expect(toText(await bridge.call('worldly__think', think))).toContain('Roses.')
    expect(toText(await bridge.call('worldly__think', think))).toBe('{"error":-1}')
    expect(sampler.asked.map(({ maxTokens }) => maxTokens)).toEqual([50])
  })

  test.each([-1_000, Number.NaN])('cannot be stretched by a model that counts %d tokens', async (tokens) => {
    const sampler = model(tokens)
    await using bridge = await openBridge(worldly({ sampler, servers: ['worldly'], maxTokens: 50 }))
    const more = { params: { ...think.params, maxTokens: 1_000 } }
    expect(toText(await bridge.call('worldly__think', more))).toContain('Roses.')
    expect(toText(await bridge.call('worldly__think', more))).toBe('{"error":-1}')
    expect(sampler.asked.map(({ maxTokens }) => maxTokens)).toEqual([50])
  })

  test('counts what a server has the model begin and then does not want', async () => {
    let begun = 0
    const sampler: Sampler = {
      sample: (_request, { signal }) =>
        new Promise((_resolve, reject) => {
          begun += 1
          signal.addEventListener('abort', () => reject(signal.reason))
        }),
    }
    await using bridge = await openBridge(worldly({ sampler, servers: ['worldly'], maxTokens: 50 }))
    const stop = new AbortController()
    const call = bridge.call('worldly__think', think, { signal: stop.signal }).catch(() => 'stopped')
    await expect.poll(() => begun).toBe(1)
    await bridge.call('worldly__forget')
    expect(toText(await bridge.call('worldly__think', think))).toBe('{"error":-1}')
    stop.abort()
    expect(await call).toBe('stopped')
    expect(begun).toBe(1)
  })

  test('bounds what it sends, also with several requests at once [C29]', async () => {
    const sampler = model()
    const options = { sampler, servers: ['worldly'], offersTools: true, maxTokens: 1_000 }
    await using bridge = await openBridge(worldly(options))
    const asking = (...messages: readonly object[]): Record<string, unknown> => ({
      params: { messages, maxTokens: 1 },
    })
    const words = { type: 'text', text: 'x'.repeat(2_400) }
    const picture = { type: 'image', data: 'A'.repeat(8_000), mimeType: 'image/png' }
    const use = { type: 'tool_use', id: 'a', name: 'dig', input: { data: 'x'.repeat(8_000) } }
    const result = { type: 'tool_result', toolUseId: 'a', content: [words, words] }
    const said = (asked: Record<string, unknown>): Promise<string> =>
      bridge.call('worldly__think', asked).then(toText)
    const used = asking(
      { role: 'assistant', content: [use] },
      { role: 'user', content: [{ ...result, content: [] }] },
    )
    const answered = asking(
      { role: 'assistant', content: [{ ...use, input: {} }] },
      { role: 'user', content: [result] },
    )
    for (const tooMuch of [asking({ role: 'user', content: [words, words] }), used, answered])
      expect(await said(tooMuch)).toBe('{"error":-1}')
    expect(sampler.asked).toEqual([])
    expect(await said(asking({ role: 'user', content: picture }))).toContain('Roses.')
    const both = [
      said(asking({ role: 'user', content: words })),
      said(asking({ role: 'user', content: words })),
    ]
    expect((await Promise.all(both)).filter((text) => text.includes('Roses.'))).toHaveLength(1)
  })

  test('bounds the rounds of tools before one answer', async () => {
    const sampler = model()
    const options = { sampler, servers: ['worldly'], offersTools: true, maxToolRounds: 2 }
    await using bridge = await openBridge(worldly(options))
    const rounds = (count: number): object => ({
      params: {
        maxTokens: 5,
        tools: [{ name: 'dig', inputSchema: { type: 'object' } }],
        messages: Array.from({ length: count }, (_unused, index) => [
          { role: 'assistant', content: [{ type: 'tool_use', id: `${index}`, name: 'dig', input: {} }] },
          { role: 'user', content: [{ type: 'tool_result', toolUseId: `${index}`, content: [] }] },
        ]).flat(),
      },
    })
    expect(toText(await bridge.call('worldly__think', { ...rounds(2) }))).toContain('Roses.')
    expect(toText(await bridge.call('worldly__think', { ...rounds(3) }))).toBe('{"error":-1}')
  })
})

test.each([
  ['while the model answers', 'allow'],
  ['while a person is asked', 'ask'],
] as const)('a request ends with the call that led to it: %s', async (_when, verdict) => {
  const events: BridgeEvent[] = []
  const begun: AbortSignal[] = []
  const never = async (_asked: unknown, { signal }: { readonly signal: AbortSignal }): Promise<never> => {
    begun.push(signal)
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  }
  await using bridge = await openBridge({
    ...worldly({ sampler: { sample: never }, servers: ['worldly'] }, events),
    permissions: { mode: 'allow', [verdict]: ['sampling:*'] },
    answerer: { ask: never },
  })
  const stop = new AbortController()
  const call = bridge.call('worldly__think', think, { signal: stop.signal }).catch(() => 'stopped')
  await expect.poll(() => begun.length).toBe(1)
  stop.abort()
  expect(await call).toBe('stopped')
  await expect.poll(() => begun[0]?.aborted).toBe(true)
  await expect.poll(() => events).toContainEqual(expect.objectContaining({ type: 'sampling.finished' }))
  expect(events).not.toContainEqual(expect.objectContaining({ type: 'diagnostic' }))
})

test('what was spent long ago is forgotten, so that conversations that never end cost no memory', async () => {
  const sampler = model()
  const options = { sampler, servers: ['s'], maxCalls: 1 }
  const sampling = new Sampling(options, { emit: () => {}, permit: async () => {} })
  const request = { messages: [], maxTokens: 1 }
  const ask = (conversation: number): Promise<unknown> => {
    const origin = { principal: 'p', conversation: String(conversation) }
    return sampling.sample(
      request,
      { server: 's', origin, answerer: undefined },
      new AbortController().signal,
    )
  }
  for (let conversation = 0; conversation <= 10_000; conversation++) await ask(conversation)
  await expect(ask(10_000)).rejects.toMatchObject({ code: -1 })
  await ask(0)
})

test('a model that fails costs nothing, and what it said stays with the host', async () => {
  const events: BridgeEvent[] = []
  const sampler: Sampler = { sample: () => Promise.reject(new Error('key sk-12345 is wrong')) }
  await using bridge = await openBridge(worldly({ sampler, servers: ['worldly'], maxTokens: 50 }, events))
  for (let call = 0; call < 2; call++)
    expect(toText(await bridge.call('worldly__think', think))).toBe('{"error":-1}')
  expect(events).toContainEqual(expect.objectContaining({ code: 'sampling_failed' }))
  expect(JSON.stringify(events)).not.toContain('sk-12345')
})
