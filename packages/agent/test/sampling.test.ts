import type { Answer } from '@toolbridge/bridge'
import { type ModelTurn } from '@toolbridge/testkit/models'
import { describe, expect, test, vi } from 'vitest'
import { address, pixel } from './library-server.ts'
import { calling, lastResults, type World, world, type WorldOptions } from './world.ts'

const question = { role: 'user', content: { type: 'text', text: 'Roses are?' } }
const request = { messages: [question], maxTokens: 50 }
const enabled: WorldOptions = {
  sampling: { servers: ['worldly'], offersTools: true },
  permissions: { mode: 'allow', allow: ['sampling:*'] },
}

/** A run in which the model calls a tool that has the model answer `params`, `answers` times. */
function samplingWorld(
  answers: readonly ModelTurn[],
  options: WorldOptions = enabled,
  params: object = request,
): Promise<World> {
  const calls = answers.flatMap((answer) => [calling('worldly__think', { params }), answer])
  return world([...calls, { text: 'Done.' }], options)
}

/** The requests that were made for servers: those of the loop are streams. */
function samplingBodies({ scripted }: World): readonly Record<string, unknown>[] {
  return scripted.requests
    .filter(({ body, path }) => body['stream'] !== true && !path.includes(':stream'))
    .map(({ body }) => body)
}

describe.each(['openai', 'anthropic', 'google', 'compatible'] as const)('%s', (shape) => {
  test('the same model answers a server in the middle of a call [S4-95] [S4-96] [C29]', async () => {
    await using w = await samplingWorld([{ text: 'Red.' }, { text: 'Re', end: 'length' }], {
      ...enabled,
      shape,
    })
    expect(await w.run()).toMatchObject({ text: 'Done.', end: 'answered', steps: 3 })
    const results = lastResults(w).map(sampled)
    expect(results).toEqual([
      {
        role: 'assistant',
        content: { type: 'text', text: 'Red.' },
        model: 'scripted',
        stopReason: 'endTurn',
      },
      {
        role: 'assistant',
        content: { type: 'text', text: 'Re' },
        model: 'scripted',
        stopReason: 'maxTokens',
      },
    ])
    expect(JSON.stringify(samplingBodies(w)[0])).toContain('Roses are?')
  })

  test('a server makes the calls of its own tools [C29]', async () => {
    const dig = { name: 'dig', description: 'Digs.', inputSchema: { type: 'object', properties: {} } }
    const rounds = [
      question,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'u1', name: 'dig', input: { deep: true } }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', toolUseId: 'u1', content: [{ type: 'text', text: 'Found gold.' }] }],
      },
    ]
    const params = { messages: rounds, maxTokens: 50, tools: [dig] }
    const answer = { text: 'Once more.', calls: [{ tool: 'dig', input: { deep: false } }] }
    await using w = await samplingWorld([answer], { ...enabled, shape }, params)
    expect((await w.run()).end).toBe('answered')
    expect(sampled(lastResults(w)[0] ?? '')).toMatchObject({
      content: [
        { type: 'text', text: 'Once more.' },
        { type: 'tool_use', name: 'dig', input: { deep: false } },
      ],
      stopReason: 'toolUse',
    })
    const [body] = samplingBodies(w)
    expect(JSON.stringify(body)).toContain('Found gold.')
    expect(JSON.stringify(body)).toContain('Digs.')
  })
})

test('pictures, instructions and settings of a server reach the model; an address is never opened', async () => {
  const picture = (data: string): object => ({
    role: 'user',
    content: { type: 'image', data, mimeType: 'image/png' },
  })
  const settings = { systemPrompt: 'You are a poet.', temperature: 0.5, stopSequences: ['END'] }
  const params = { ...request, ...settings, messages: [picture(pixel), picture(address), question] }
  await using w = await samplingWorld([{ text: 'Red.' }], { ...enabled, shape: 'compatible' }, params)
  await w.run()
  const [body] = samplingBodies(w)
  expect(body).toMatchObject({ temperature: 0.5, stop: ['END'], max_tokens: 50 })
  expect(JSON.stringify(body)).toContain('You are a poet.')
  expect(JSON.stringify(body)).toContain(pixel)
  expect(JSON.stringify(body)).not.toContain(address)
})

test.each([
  ['is off', {}],
  ['is on for another server', { sampling: { servers: ['hello'] } }],
] as const)('a server does not get the model when sampling %s [C29]', async (_what, options) => {
  const permissions = { mode: 'allow', allow: ['sampling:*'] } as const
  await using w = await world([calling('worldly__think', { params: request }), { text: 'Done.' }], {
    ...options,
    permissions,
  })
  expect((await w.run()).text).toBe('Done.')
  expect(lastResults(w)[0]).toContain('error')
  expect(samplingBodies(w)).toEqual([])
})

describe('sampling is limited', () => {
  test('in calls, in tokens of all answers and in tokens of one [C29]', async () => {
    const sampling = { servers: ['worldly'], maxCalls: 3, maxTokens: 60, maxTokensPerCall: 40 }
    const answer = { text: 'Red.', usage: { input: 10, output: 20 } }
    const think = calling('worldly__think', { params: request })
    await using w = await world(({ body }) => (body['stream'] === true ? think : answer), {
      ...enabled,
      sampling,
    })
    await w.run({ maxSteps: 4 })
    expect(samplingBodies(w).map((body) => body['max_output_tokens'])).toEqual([40, 30])
    expect(lastResults(w).map((text) => text.includes('Red.'))).toEqual([true, true, false])
  })

  test('in calls [C29]', async () => {
    const think = calling('worldly__think', { params: request })
    await using w = await world(({ body }) => (body['stream'] === true ? think : { text: 'Red.' }), {
      ...enabled,
      sampling: { servers: ['worldly'], maxCalls: 1 },
    })
    await w.run({ maxSteps: 3 })
    expect(samplingBodies(w)).toHaveLength(1)
  })

  test.each([
    ['agrees', { action: 'accept' }, 1],
    ['declines', { action: 'decline' }, 0],
  ] as const)('to what the caller approves: a person who %s [C29]', async (_what, answer: Answer, count) => {
    const asked: string[] = []
    const answerer = {
      ask: async ({ kind }: { readonly kind: string }) => {
        asked.push(kind)
        return answer
      },
    }
    const answers = [{ text: 'Red.' }].slice(0, count)
    const permissions = { mode: 'allow', ask: ['sampling:*'] } as const
    const turns = [calling('worldly__think', { params: request }), ...answers, { text: 'Done.' }]
    await using w = await world(turns, { ...enabled, permissions })
    expect((await w.run({ answerer })).text).toBe('Done.')
    expect(asked).toEqual(['approval'])
    expect(samplingBodies(w)).toHaveLength(count)
  })
})

test('a request that a server withdraws ends at the provider', async () => {
  await using w = await samplingWorld([{ hang: true }])
  const abort = new AbortController()
  const outcome = expect(w.run({ signal: abort.signal })).rejects.toThrow('enough')
  await expect.poll(() => samplingBodies(w)).toHaveLength(1)
  await w.bridge.call('worldly__forget')
  await expect.poll(() => w.scripted.cancelled).toBe(1)
  abort.abort(new Error('enough'))
  await outcome
})

test('a request of a server ends at the provider when the run is aborted', async () => {
  await using w = await samplingWorld([{ hang: true }])
  const abort = new AbortController()
  const outcome = expect(w.run({ signal: abort.signal })).rejects.toThrow('enough')
  await expect.poll(() => samplingBodies(w)).toHaveLength(1)
  abort.abort(new Error('enough'))
  await outcome
  await expect.poll(() => w.scripted.cancelled).toBe(1)
})

test.each([
  ['fails', { status: 400, message: 'Heliotrope' }],
  ['calls a tool that the server does not have', { calls: [{ tool: 'constructor', input: {} }] }],
  ['answers with arguments that are not JSON', { calls: [{ tool: 'dig', input: '{"deep": ' }] }],
] as const)('a server learns nothing of a model that %s', async (_what, answer) => {
  const tools = [{ name: 'dig', inputSchema: { type: 'object', properties: {} } }]
  await using w = await samplingWorld([answer], enabled, { ...request, tools })
  expect((await w.run()).text).toBe('Done.')
  expect(lastResults(w)[0]).toContain('error')
  expect(lastResults(w)[0]).not.toContain('Heliotrope')
})

test('a setting that a model does not have is not printed on the console', async () => {
  const info = vi.spyOn(console, 'info').mockImplementation(() => {})
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  try {
    const params = { ...request, stopSequences: ['END'] }
    await using w = await samplingWorld([{ text: 'Red.' }], enabled, params)
    await w.run()
    expect(lastResults(w)[0]).toContain('Red.')
    expect([...info.mock.calls, ...warn.mock.calls]).toEqual([])
  } finally {
    info.mockRestore()
    warn.mockRestore()
  }
})

/** The result of sampling that the tool `think` quotes. */
function sampled(result: string): unknown {
  const text = result.includes('\\"role\\"') ? (JSON.parse(result) as unknown) : result
  return JSON.parse(deepestText(text)) as unknown
}

/** Results are texts, or texts in the containers of a provider. */
function deepestText(value: unknown): string {
  if (typeof value === 'string') return value
  const inner = Array.isArray(value) ? value : Object.values(value ?? {})
  return inner.map((each) => deepestText(each)).find((text) => text.includes('"role"')) ?? ''
}
