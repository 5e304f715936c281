import {
  type Answer,
  type Answerer,
  type BridgeEvent,
  type BridgeOptions,
  openBridge,
  type Question,
  toText,
} from '@toolbridge/bridge'
import { functionAnswerer } from '@toolbridge/bridge/questions'
import { describe, expect, test } from 'vitest'
import { ManualClock } from '../servers/manual-clock.ts'
import { inMemory } from '../servers/in-memory.ts'
import { permissive } from '../servers/specs.ts'

interface Asked {
  readonly said: readonly string[]
  readonly questions: readonly Question[]
  readonly codes: readonly string[]
  readonly events: readonly BridgeEvent[]
}

/** Has a server ask so, one question after the other, and says what came of it. */
async function ask(
  requests: readonly object[],
  options: Partial<BridgeOptions> = {},
  answerer: Partial<Answerer> = {},
): Promise<Asked> {
  const questions: Question[] = []
  const events: BridgeEvent[] = []
  const agreeing: Answerer = {
    ask: async (question) => {
      questions.push(question)
      return { action: 'accept', content: question.kind === 'form' ? { value: 'x' } : {} }
    },
    ...answerer,
  }
  await using bridge = await openBridge({
    ...permissive([inMemory('worldly')]),
    answerer: agreeing,
    journal: (event) => events.push(event),
    ...options,
  })
  const said: string[] = []
  for (const params of requests) said.push(toText(await bridge.call('worldly__ask', { params })))
  const codes = events.flatMap((event) => (event.type === 'diagnostic' ? [event.code] : []))
  return { said, questions, codes, events }
}

function form(properties: object, message = 'Please'): object {
  return { message, requestedSchema: { type: 'object', properties } }
}

const visit = {
  mode: 'url',
  message: 'Pay here',
  elicitationId: 'e1',
  url: 'https://pay.example/now?order=1',
}

describe('a form that asks for a secret', () => {
  test.each([
    ['password', 'Please'],
    ['userPassword', 'Please'],
    ['API_KEY', 'Please'],
    ['access-token', 'Please'],
    ['sshKey', 'Please'],
    ['pin', 'Please'],
    ['value', 'Paste your API key'],
    ['answer', 'What is your password?'],
  ])('is declined with a way out (%s: %s) [C12]', async (field, message) => {
    const { said, questions, codes, events } = await ask([form({ [field]: { type: 'string' } }, message)])
    expect(said).toEqual(['{"action":"decline"}'])
    expect(questions).toEqual([])
    expect(codes).toEqual(['question_asks_secret'])
    expect(JSON.stringify(events)).toContain('mode \\"url\\"')
  })

  test('is told from one that only sounds like it', async () => {
    const fields = ['value', 'keyword', 'issueKey', 'maxTokens', 'pinned', 'secretary'].map(
      (name) => [name, { type: 'string' }] as const,
    )
    const { codes, questions } = await ask([
      form(Object.fromEntries(fields)),
      form({ value: { type: 'string' }, note: { type: 'string' } }, 'Is the password changed?'),
      form({ value: { type: 'boolean', title: 'Store the token?' } }),
    ])
    expect(questions).toHaveLength(3)
    expect(codes.filter((code) => code === 'question_asks_secret')).toEqual([])
  })
})

describe('a page that a server wants opened', () => {
  test('is put to the person in full, and agreeing hands nothing over', async () => {
    const { said, questions } = await ask([visit])
    expect(said).toEqual(['{"action":"accept"}'])
    expect(questions).toMatchObject([
      { kind: 'url', server: 'worldly', url: visit.url, host: 'pay.example', warnings: [] },
    ])
  })

  test.each([
    ['https://xn--pple-43d.example/', /look like others.*xn--pple-43d.example.*аpple.example/],
    ['https://аpple.example/', /look like others/],
    ['https://192.0.2.7/', /is an IP address/],
    ['http://127.0.0.1:8080/done', /not encrypted/],
    ['https://login.bank.example.a.b.evil.example/', /only its end counts: "b.evil.example"/],
  ])('comes with a warning when it is %s', async (url, warning) => {
    const { questions } = await ask([{ ...visit, url }])
    expect(questions).toMatchObject([{ warnings: [expect.stringMatching(warning)] }])
  })

  test.each(['http://pay.example/', 'https://bank.example@evil.example/', 'https://u:p@pay.example/'])(
    'is declined when it is %s',
    async (url) => {
      const { said, questions, codes } = await ask([{ ...visit, url }])
      expect(said).toEqual(['{"action":"decline"}'])
      expect(questions).toEqual([])
      expect(codes).toEqual(['question_unsafe_address'])
    },
  )

  test.each(['javascript:alert(1)', 'file:///etc/passwd', 'no address'])(
    'never gets so far as %s',
    async (url) => {
      const { said, questions } = await ask([{ ...visit, url }])
      expect(said).toEqual(['{"error":-32602}'])
      expect(questions).toEqual([])
    },
  )

  test('is declined, in one line, where the channel cannot show it', async () => {
    const { said, codes } = await ask([visit], {}, { kinds: ['form', 'approval'] })
    expect(said).toEqual(['{"action":"decline"}'])
    expect(codes).toEqual(['question_unshowable'])
  })

  test('is through when the server says so, once, and only if somebody went there', async () => {
    const events: BridgeEvent[] = []
    await using bridge = await openBridge({
      ...permissive([inMemory('worldly')]),
      answerer: functionAnswerer(() => ({ action: 'accept' })),
      journal: (event) => events.push(event),
    })
    await bridge.call('worldly__ask', { params: visit })
    for (const elicitationId of ['e2', 'e1', 'e1']) await bridge.call('worldly__finish', { elicitationId })
    const completed = events.filter(({ type }) => type === 'question.completed')
    expect(completed).toMatchObject([
      { server: 'worldly', origin: { principal: 'local', conversation: 'main' } },
    ])
  })
})

test('a question that nobody answers in time counts as cancelled [C12]', async () => {
  const { said, codes } = await ask(
    [form({ value: { type: 'string' } })],
    { questions: { answerTimeoutMs: 20 } },
    { ask: () => new Promise(() => {}) },
  )
  expect(said).toEqual(['{"action":"cancel"}'])
  expect(codes).toEqual(['answer_timed_out'])
})

test.each([
  ['a form', form({ value: { type: 'string', description: 'x'.repeat(300_000) } })],
  ['a message', form({ value: { type: 'string' } }, 'x'.repeat(300_000))],
])('%s that is longer than anybody reads is declined and kept nowhere', async (_what, request) => {
  const { said, questions, codes, events } = await ask([request])
  expect(said).toEqual(['{"action":"decline"}'])
  expect(questions).toEqual([])
  expect(codes).toEqual(['question_unsupported'])
  expect(JSON.stringify(events).length).toBeLessThan(100_000)
})

test('a question with an address that nobody reads is refused as a message, and kept nowhere', async () => {
  const url = `https://pay.example/${'x'.repeat(300_000)}`
  const { said, questions, events } = await ask([{ ...visit, url }])
  expect(said).toEqual(['{"error":-32602}'])
  expect(questions).toEqual([])
  expect(JSON.stringify(events).length).toBeLessThan(100_000)
})

test('a person may be given all the time there is', async () => {
  const slow = async (): Promise<Answer> => {
    await new Promise((resolve) => setTimeout(resolve, 50))
    return { action: 'accept', content: { value: 'x' } }
  }
  const questions = { answerTimeoutMs: Infinity }
  const { said, codes } = await ask([form({ value: { type: 'string' } })], { questions }, { ask: slow })
  expect(said).toEqual(['{"action":"accept","content":{"value":"x"}}'])
  expect(codes).toEqual([])
})

test('a server that asks too often is declined until a minute has passed', async () => {
  const clock = new ManualClock()
  const request = form({ value: { type: 'string' } })
  const options = { clock, questions: { maxPerMinute: 2 } }
  const { said, questions, codes } = await ask(Array(5).fill(request), options, {})
  expect(said.map((text) => JSON.parse(text).action)).toEqual([
    'accept',
    'accept',
    ...Array(3).fill('decline'),
  ])
  expect(questions).toHaveLength(2)
  // Once per minute, however often it asks.
  expect(codes).toEqual(['question_rate_exceeded'])
})
