import type { Answer, Answerer, Question } from '@toolbridge/bridge'
import { describe, expect, test } from 'vitest'
import { calling, lastResults, shapes, world } from './world.ts'

/** Gives the same answer to every question, and remembers them. */
function person(answer: Answer): Answerer & { readonly asked: Question[] } {
  const asked: Question[] = []
  return {
    asked,
    ask: async (question) => {
      asked.push(question)
      return answer
    },
  }
}

const origin = { principal: 'ada', conversation: 'one' }

describe.each(shapes)('a model of %s', (shape) => {
  test('a denied call stays denied, and the model is told and goes on [S4-130]', async () => {
    const answerer = person({ action: 'accept' })
    await using w = await world(
      [calling('hello__hello'), calling('hello__hello', { name: 'Ada' }), { text: 'I may not.' }],
      { shape, permissions: { mode: 'allow', deny: ['mcp:hello__hello'] } },
    )
    const { text, end } = await w.run({ origin, answerer })
    expect([text, end]).toEqual(['I may not.', 'answered'])
    expect(lastResults(w)).toEqual([
      expect.stringContaining('may not be called'),
      expect.stringContaining('may not be called'),
    ])
    expect(answerer.asked).toEqual([])
    expect(w.events.filter(({ type }) => type === 'tool.finished')).toMatchObject([
      { tool: 'hello__hello', error: expect.stringContaining('may not be called') },
      { tool: 'hello__hello', error: expect.stringContaining('may not be called') },
    ])
  })

  test.each([
    ['given', { action: 'accept' }, 'Hello, Ada!'],
    ['refused', { action: 'decline' }, 'was refused'],
  ] as const)('an approval is asked of the caller and %s', async (_what, answer, said) => {
    const answerer = person(answer)
    await using w = await world([calling('hello__hello', { name: 'Ada' }), { text: 'Done.' }], {
      shape,
      permissions: { mode: 'ask' },
    })
    expect((await w.run({ origin, answerer })).end).toBe('answered')
    expect(answerer.asked).toMatchObject([{ kind: 'approval', tool: 'hello__hello', origin }])
    expect(lastResults(w)).toEqual([expect.stringContaining(said)])
  })

  test('nobody to ask is a denial', async () => {
    await using w = await world([calling('hello__hello'), { text: 'I may not.' }], {
      shape,
      permissions: { mode: 'ask' },
    })
    expect((await w.run()).text).toBe('I may not.')
    expect(lastResults(w)).toEqual([expect.stringContaining('hello__hello')])
    expect(lastResults(w)[0]).not.toContain('Hello, world!')
  })

  test('a question in the middle of a call is answered by the caller, and the run goes on', async () => {
    const answerer = person({ action: 'accept', content: { name: 'Ada', excited: true } })
    await using w = await world([calling('elicit__greet_me'), { text: 'Greeted.' }], { shape })
    expect((await w.run({ origin, answerer })).text).toBe('Greeted.')
    expect(answerer.asked).toMatchObject([
      { kind: 'form', server: 'elicit', message: 'What is your name?', origin },
    ])
    expect(lastResults(w)).toEqual([expect.stringContaining('Hello, Ada!!!')])
  })

  test('the journal has the calls of a run under its id', async () => {
    await using w = await world([calling('hello__hello'), calling('hello__hello'), { text: 'Done.' }], {
      shape,
    })
    const { id } = await w.run({ origin })
    const finished = w.journal.filter((event) => event.type === 'call.finished')
    expect(finished).toMatchObject([
      { parent: id, origin },
      { parent: id, origin },
    ])
  })
})
