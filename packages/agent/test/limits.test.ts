import { describe, expect, test } from 'vitest'
import { calling, lastResults, shapes, world } from './world.ts'

const hello = calling('hello__hello', { name: 'Ada' })

describe.each(shapes)('a model of %s that repeats the same call for ever', (shape) => {
  test('is stopped after the allowed steps', async () => {
    await using w = await world(() => hello, { shape })
    expect(await w.run({ maxSteps: 3 })).toMatchObject({ end: 'max_steps', steps: 3, text: '' })
    expect(w.scripted.requests).toHaveLength(3)
    expect(await w.run()).toMatchObject({ end: 'max_steps', steps: 16 })
  })

  test('is stopped when the tokens are used up', async () => {
    await using w = await world(() => ({ ...hello, usage: { input: 100, output: 50 } }), { shape })
    expect(await w.run({ maxTokens: 400 })).toMatchObject({
      end: 'budget',
      steps: 3,
      usage: { inputTokens: 300, outputTokens: 150 },
    })
    expect(w.scripted.requests).toHaveLength(3)
  })

  test('is stopped by what it uses, also if its provider counts less than nothing', async () => {
    await using w = await world(() => ({ ...hello, usage: { input: -1_000, output: 50 } }))
    expect(await w.run({ maxTokens: 100 })).toMatchObject({
      end: 'budget',
      steps: 2,
      usage: { inputTokens: 0, outputTokens: 100 },
    })
  })

  test('makes no more than the allowed calls, is told so, and can answer', async () => {
    await using w = await world(
      ({ results }) => (results.at(-1)?.includes('answer now') === true ? { text: 'Enough.' } : hello),
      { shape },
    )
    expect(await w.run({ maxCalls: 2 })).toMatchObject({ end: 'answered', text: 'Enough.', steps: 4 })
    expect(w.journal.filter(({ type }) => type === 'call.finished')).toHaveLength(2)
    expect(lastResults(w).at(-1)).toContain('no more than 2 tool calls')
  })
})

test.each([{ maxSteps: 0 }, { maxSteps: Number.NaN }, { maxTokens: 0 }, { maxCalls: -1 }])(
  'a limit that limits nothing is refused: %o',
  async (limits) => {
    await using w = await world(() => hello)
    await expect(w.run(limits)).rejects.toThrow(RangeError)
    expect(w.scripted.requests).toEqual([])
  },
)

test('an answer is kept short when few tokens are left, and has the provider’s own limit otherwise', async () => {
  await using w = await world(() => ({ ...hello, usage: { input: 900, output: 90 } }))
  await w.run({ maxTokens: 6_000, maxSteps: 6 })
  const limits = w.scripted.requests.map(({ body }) => body['max_output_tokens'])
  expect(limits).toEqual([undefined, undefined, 4_020, 3_030, 2_040, 1_050])
})

test.each([
  ['length', 'length'],
  ['filter', 'content_filter'],
] as const)('an answer that ends by %s is reported', async (end, reported) => {
  await using w = await world([{ text: 'Hello, A', end }])
  expect(await w.run()).toMatchObject({ end: reported, text: 'Hello, A' })
})

describe('a call that cannot be made', () => {
  test.each(['hello__helo', 'constructor', '__proto__', 'toString'])(
    'of the unknown tool %s is an error that the model can act on',
    async (tool) => {
      await using w = await world([calling(tool), hello, { text: 'Done.' }])
      expect(await w.run()).toMatchObject({ end: 'answered', steps: 3 })
      expect(lastResults(w)).toEqual([
        expect.stringContaining('hello__hello'),
        expect.stringContaining('Hello, Ada!'),
      ])
      expect(w.events).toContainEqual(
        expect.objectContaining({ type: 'tool.finished', tool, error: expect.stringContaining(tool) }),
      )
    },
  )

  test.each(['openai', 'anthropic', 'compatible'] as const)(
    '%s: with arguments that are not JSON is an error that the model can act on',
    async (shape) => {
      await using w = await world([calling('hello__hello', '{"name": "Ada'), hello, { text: 'Done.' }], {
        shape,
      })
      expect(await w.run()).toMatchObject({ end: 'answered', steps: 3 })
      expect(lastResults(w)).toEqual([
        expect.stringMatching(/invalid input|JSON/i),
        expect.stringContaining('Hello, Ada!'),
      ])
    },
  )

  test.each(['openai', 'anthropic', 'compatible'] as const)(
    '%s: with arguments that are nested too deep is an error that the model can act on',
    async (shape) => {
      const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
      await using w = await world([calling('hello__hello', deep), hello, { text: 'Done.' }], { shape })
      expect(await w.run()).toMatchObject({ end: 'answered', steps: 3 })
      expect(lastResults(w)).toEqual([
        expect.stringMatching(/nested deeper/),
        expect.stringContaining('Hello, Ada!'),
      ])
      expect(JSON.stringify(w.events)).toContain('nested deeper')
    },
  )

  test('with arguments that violate the schema is an error that names the argument', async () => {
    await using w = await world([calling('hello__repeat', { text: 5 }), { text: 'Done.' }])
    expect((await w.run()).end).toBe('answered')
    expect(lastResults(w)).toEqual([expect.stringContaining('text')])
  })
})

describe('more tools than fit', () => {
  test('are found by tool_search and called by call_tool', async () => {
    const turns = [
      calling('tool_search', { query: 'greet somebody' }),
      calling('call_tool', { name: 'hello__hello', arguments: { name: 'Ada' } }),
      calling('call_tool', { name: 'hello__repeat', arguments: { text: 'a' } }),
      { text: 'Done.' },
    ]
    const permissions = { mode: 'allow', deny: ['mcp:hello__repeat'] } as const
    await using w = await world(turns, { permissions })
    expect(await w.run({ maxToolTokens: 100 })).toMatchObject({ end: 'answered', steps: 4 })
    expect(w.scripted.requests[0]?.tools).toEqual(expect.arrayContaining(['tool_search', 'call_tool']))
    expect(w.scripted.requests[0]?.tools).not.toContain('hello__hello')
    expect(lastResults(w)).toEqual([
      expect.stringContaining('hello__hello'),
      expect.stringContaining('Hello, Ada!'),
      expect.stringContaining('may not be called'),
    ])
  })

  test('are those that were chosen: few of many are listed', async () => {
    await using w = await world([{ text: 'Done.' }])
    await w.run({ maxToolTokens: 100, only: ['hello__hello'] })
    expect(w.scripted.requests[0]?.tools).toContain('hello__hello')
    expect(w.scripted.requests[0]?.tools).not.toContain('tool_search')
  })
})
