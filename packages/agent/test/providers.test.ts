import { runAgent } from '@toolbridge/agent'
import type { ModelShape } from '@toolbridge/testkit/models'
import { expect, test } from 'vitest'
import { providers } from '../src/models/providers.ts'
import { calling, lastResults, said, world } from './world.ts'

const shapes = Object.keys(providers) as readonly ModelShape[]

test.each(shapes)(
  '%s: the model calls tools in several steps, and its text is streamed [S4-2] [S4-130]',
  async (shape) => {
    const turns = [
      { text: 'Let me see.', ...calling('hello__hello', { name: 'Ada' }) },
      { calls: [{ tool: 'hello__repeat', input: { text: 'ho', count: 2 } }, { tool: 'library__fail' }] },
      { text: 'Ada is greeted.' },
    ]
    await using w = await world(turns, { shape })
    const result = await w.run()
    expect(result).toMatchObject({
      text: 'Ada is greeted.',
      end: 'answered',
      steps: 3,
      usage: { inputTokens: 30, outputTokens: 15 },
    })
    expect(lastResults(w)).toEqual([
      expect.stringContaining('Hello, Ada!'),
      expect.stringContaining('ho ho'),
      expect.stringContaining('The shelf is empty.'),
    ])
    expect(w.scripted.requests.map(({ tools }) => tools.includes('hello__hello'))).toEqual([true, true, true])
    expect(
      w.events
        .filter(({ type }) => type !== 'text')
        .map((event) => [event.type, 'tool' in event && event.tool]),
    ).toEqual([
      ['step.started', false],
      ['tool.called', 'hello__hello'],
      ['tool.finished', 'hello__hello'],
      ['step.finished', false],
      ['step.started', false],
      ['tool.called', 'hello__repeat'],
      ['tool.called', 'library__fail'],
      ['tool.finished', expect.any(String)],
      ['tool.finished', expect.any(String)],
      ['step.finished', false],
      ['step.started', false],
      ['step.finished', false],
    ])
    expect(w.events).toContainEqual({ type: 'step.finished', step: 2, tokens: 15 })
    const texts = w.events.flatMap((event) => (event.type === 'text' ? [event.text] : []))
    expect(texts.join('')).toBe('Let me see.Ada is greeted.')
    expect(texts.length).toBeGreaterThan(4)
  },
)

test.each(shapes)('%s: the conversation goes on with the messages of a run', async (shape) => {
  await using w = await world([calling('hello__hello'), { text: 'Done.' }, { text: 'Hello, world!' }], {
    shape,
  })
  const question = { role: 'user', content: 'Greet the world.' } as const
  const { messages } = await w.run({ messages: [question] })
  const { text } = await w.run({
    messages: [question, ...messages, { role: 'user', content: 'What was it?' }],
  })
  expect(text).toBe('Hello, world!')
  expect(lastResults(w)).toEqual([expect.stringContaining('Hello, world!')])
  expect(JSON.stringify(w.scripted.requests.at(-1)?.body)).toContain('What was it?')
})

test.each(['openai', 'anthropic', 'google', 'compatible'] as const)(
  '%s: a picture of a tool reaches the model, and so do the instructions',
  async (shape) => {
    await using w = await world([calling('gallery__picture'), { text: 'A dot.' }], { shape })
    await w.run({ system: 'You see pictures.' })
    const body = JSON.stringify(w.scripted.requests.at(-1)?.body)
    expect(body).toContain('You see pictures.')
    expect(body).toContain('iVBORw0KGgo')
  },
)

test('a model without a bridge just answers', async () => {
  await using w = await world([{ text: 'Hello, Ada!' }])
  const { text } = await runAgent({ model: w.model, messages: [said('Greet Ada.')] })
  expect(text).toBe('Hello, Ada!')
  expect(w.scripted.requests[0]?.tools).toEqual([])
})
