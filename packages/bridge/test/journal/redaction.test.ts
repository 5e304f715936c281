import { describe, expect, test } from 'vitest'
import type { Answerer, Question } from '../../src/elicitation/question.ts'
import {
  redactedQuestion,
  redactingAnswerer,
  redactingApprover,
} from '../../src/elicitation/redacting-answerer.ts'
import type { BridgeEvent } from '../../src/journal/events/events.ts'
import { Matcher, mergeSpans } from '../../src/journal/redaction/matcher.ts'
import { Redaction } from '../../src/journal/redaction/redaction.ts'
import { isRecognizable, secretForms } from '../../src/journal/redaction/secret-forms.ts'
import { Secrets } from '../../src/journal/redaction/secrets.ts'
import { mapTexts } from '../../src/text/map-texts.ts'

const secret = 'hunter2-of-ada'
const at = new Date(0)
const origin = { principal: 'ada', conversation: 'chat' }

function redactionOf(...values: readonly string[]): Redaction {
  const redaction = new Redaction()
  redaction.definitions.keep(values)
  return redaction
}

describe('an event', () => {
  const call = { at, callId: '1', server: 's', origin, tool: 't', rawName: 'r' }

  test.each<[string, object]>([
    ['tool', { ...call, type: 'call.started', tool: `a ${secret}` }],
    ['rawName', { ...call, type: 'call.started', rawName: `a ${secret}` }],
    ['rawName', { ...call, type: 'call.finished', rawName: `a ${secret}`, latencyMs: 1, outcome: 'ok' }],
    ['error', { ...call, type: 'call.finished', latencyMs: 1, outcome: 'failed', error: `a ${secret}` }],
    ['item', { type: 'request.started', at, requestId: '1', server: 's', item: `a ${secret}`, origin }],
    ['message', { type: 'diagnostic', at, code: 'c', message: `a ${secret}` }],
    [
      'reason',
      { type: 'permission.decided', at, callId: '1', tool: 't', verdict: 'deny', reason: `a ${secret}` },
    ],
    [
      'tool',
      { type: 'permission.decided', at, callId: '1', tool: `a ${secret}`, verdict: 'deny', reason: 'r' },
    ],
    ['logger', { type: 'server.log', at, server: 's', logger: `a ${secret}` }],
    ['serverName', { type: 'connection.opened', at, server: 's', serverName: `a ${secret}` }],
    ['serverVersion', { type: 'connection.opened', at, server: 's', serverVersion: `a ${secret}` }],
  ])('has no secret in its %s', (field, event) => {
    const told = redactionOf(secret).event(event as BridgeEvent)
    expect(told).toEqual({ ...event, [field]: 'a [redacted]' })
  })

  test('without a secret is the same', () => {
    const events = [
      { ...call, type: 'call.started' },
      { ...call, type: 'call.finished', latencyMs: 1, outcome: 'failed', error: 'no' },
      { type: 'diagnostic', at, code: secret, server: secret, message: 'no' },
    ] as BridgeEvent[]
    for (const event of events) {
      expect(redactionOf(secret).event(event)).toBe(event)
      expect(new Redaction().event(event)).toBe(event)
    }
  })

  test('is redacted by secrets that come later, and by answers alone', () => {
    const redaction = redactionOf('another-secret')
    const event = { ...call, type: 'call.started', tool: secret } as BridgeEvent
    expect(redaction.event(event)).toBe(event)
    redaction.definitions.keep([secret])
    expect(redaction.event(event)).toMatchObject({ tool: '[redacted]' })
    const answers = new Redaction()
    answers.answered([{ deep: [{ er: secret }] }, 1234567, true, null])
    expect(answers.event(event)).toMatchObject({ tool: '[redacted]' })
    expect(answers.text('1234567 true null')).toBe('[redacted] true null')
  })
})

test('answers nested deeper than 32 levels are left out', () => {
  const nested = (depth: number): unknown => (depth === 0 ? secret : [nested(depth - 1)])
  const redaction = new Redaction()
  redaction.answered(nested(34))
  expect(redaction.answers.isEmpty).toBe(true)
  redaction.answered(nested(33))
  expect(redaction.answers.isEmpty).toBe(false)
})

test('what a server says about itself has no secret', () => {
  const redaction = redactionOf(secret)
  const status = {
    state: secret,
    serverInfo: { name: secret, version: '1', title: `a ${secret}`, icons: [] },
  }
  expect(redaction.status(status)).toEqual({
    state: secret,
    serverInfo: { name: '[redacted]', version: '1', title: 'a [redacted]', icons: [] },
  })
  const without: { readonly state: string; readonly serverInfo?: never } = { state: 'down' }
  expect(redaction.status(without)).toBe(without)
})

describe('values that are kept', () => {
  test.each([
    [true, '123456'],
    [false, '12345'],
    [false, '0.0.0.0'],
    [false, '127.0.0.1'],
    [false, 'application/json'],
    [false, 'Default'],
    [false, 'development'],
    [false, 'disabled'],
    [false, 'enabled'],
    [false, 'LOCALHOST'],
    [false, 'no-cache'],
    [false, 'production'],
    [false, 'staging'],
    [false, 'text/event-stream'],
    [false, 'verbose'],
    [false, 'warning'],
    [false, 'Bearer'],
    [true, 'localhost2'],
  ])('%j: %s', (expected, value) => {
    expect(isRecognizable(value)).toBe(expected)
  })

  test('are counted once, and an empty list masks nothing', () => {
    const secrets = new Secrets()
    expect([secrets.isEmpty, secrets.revision, secrets.mask(secret)]).toEqual([true, 0, secret])
    secrets.keep([secret, 'short', secret])
    expect([secrets.isEmpty, secrets.revision]).toEqual([false, 1])
    secrets.keep([secret])
    expect(secrets.revision).toBe(1)
  })
})

test('the forms of a value are those that programs write', () => {
  // Base64 of "ab/cd?" is YWIvY2Q/, of "\0ab/cd?" AGFiL2NkPw==, of "\0\0ab/cd?" AABhYi9jZD8=.
  expect(secretForms('ab/cd?').toSorted()).toEqual(
    [
      'ab/cd?',
      'ab\\/cd?',
      'ab\\\\/cd?',
      'ab%2Fcd%3F',
      'ab%2fcd%3f',
      'YWIvY2Q/',
      'YWIvY2Q_',
      'FiL2NkPw',
      'FiL2NkP',
      'hYi9jZD8',
      'hYi9jZD',
      '61622f63643f',
      '61622F63643F',
    ].toSorted(),
  )
  expect(secretForms('a"é-ä 12345')).toEqual(
    expect.arrayContaining([
      'a__-__12345',
      'a_____12345',
      'a\\"é-ä 12345',
      'a\\\\\\"é-ä 12345',
      'a\\"\\u00e9-\\u00e4 12345',
      'a%22%C3%A9-%C3%A4%2012345',
      'a%22%C3%A9-%C3%A4+12345',
    ]),
  )
  expect(secretForms('x\uD800-lone-surrogate')).toContain('x%EF%BF%BD-lone-surrogate')
})

describe('words in a text', () => {
  const find = (words: readonly string[], text: string) =>
    new Matcher(words).find(text).map(({ start, end }) => text.slice(start, end))

  test.each<[readonly string[], string, readonly string[]]>([
    [['abc'], 'xabcxabc', ['abc', 'abc']],
    [['abc'], 'abxabcab', ['abc']],
    [['abc', 'bcd'], 'abcd', ['abcd']],
    [['abcd', 'bc'], 'abce', ['bc']],
    [['ab', 'cd'], 'abcd', ['abcd']],
    [['ab', 'cd'], 'ab cd', ['ab', 'cd']],
    [['aab'], 'aaab', ['aab']],
    [['abab'], 'ababab', ['ababab']],
    [[], 'abc', []],
    [['abc'], '', []],
  ])('%j in %j are %j', (words, text, found) => {
    expect(find(words, text)).toEqual(found)
  })

  test('of more than 24 characters are found as far as they go, the longest first', () => {
    const key = 'abcdefghijklmnopqrstuvwx'
    const words = [`${key}yz123`, `${key}yz456789`]
    expect(find(words, `-${key.slice(0, 23)}-`)).toEqual([])
    expect(find(words, `-${key}-`)).toEqual([key])
    expect(find(words, `-${key}yz4-`)).toEqual([`${key}yz4`])
    expect(find(words, `-${key}yz456789-`)).toEqual([`${key}yz456789`])
    expect(find([key], `-${key}yz`)).toEqual([key])
    expect(find(words, `${key}yz123 ${key}yz456789`)).toEqual([`${key}yz123`, `${key}yz456789`])
  })

  test('of several lists are merged where they touch', () => {
    const lists = [
      [
        { start: 5, end: 7 },
        { start: 20, end: 21 },
      ],
      [
        { start: 0, end: 5 },
        { start: 6, end: 9 },
        { start: 10, end: 12 },
      ],
    ]
    expect(mergeSpans(lists)).toEqual([
      { start: 0, end: 9 },
      { start: 10, end: 12 },
      { start: 20, end: 21 },
    ])
  })
})

describe('the texts of a declaration', () => {
  const shout = (value: unknown): unknown => mapTexts(value, (text) => text.replaceAll('a', 'A'))

  test('are those that people and models read, at any depth', () => {
    const fields = ['tool', 'message', 'detail', 'arguments', 'change', 'reason', 'schema', 'scopes', 'text']
    for (const field of [...fields, 'title', 'description', '$comment', 'enumNames'])
      expect(shout({ x: [{ [field]: 'a', y: { [field]: ['a', 'b'] } }] })).toEqual({
        x: [{ [field]: 'A', y: { [field]: ['A', 'b'] } }],
      })
    expect(shout('a')).toBe('a')
  })

  test('are not names, URLs and choices, and nothing changes without them', () => {
    const value = {
      name: 'a',
      url: 'a',
      enum: ['a'],
      const: 'a',
      when: new Date(0),
      n: 1,
      z: null,
      title: 'b',
    }
    expect(shout(value)).toBe(value)
  })

  test('suggestions that would change are left out, and others stay', () => {
    expect(shout({ default: 'a', example: { x: 'a' }, examples: ['b', 'a'], title: 'b' })).toEqual({
      title: 'b',
    })
    const kept = { default: 'b', example: { x: 1 }, examples: ['b'] }
    expect(shout(kept)).toBe(kept)
    expect(shout({ default: undefined })).toEqual({ default: undefined })
  })

  test.each(['properties', 'patternProperties', '$defs', 'definitions'])(
    'a name in %s is no keyword',
    (key) => {
      expect(shout({ [key]: { default: { title: 'a' }, title: { type: 'a' }, description: 'a' } })).toEqual({
        [key]: { default: { title: 'A' }, title: { type: 'a' }, description: 'a' },
      })
    },
  )

  test('end at 256 levels', () => {
    const nested = (depth: number): unknown => (depth === 0 ? { title: 'a' } : [nested(depth - 1)])
    expect(JSON.stringify(shout(nested(256)))).toContain('"A"')
    expect(JSON.stringify(shout(nested(257)))).toContain('"a"')
  })
})

describe('questions for people', () => {
  const question = {
    kind: 'form',
    id: '1',
    origin,
    server: 's',
    message: `for ${secret}`,
    schema: { type: 'object', properties: { size: { type: 'string', enum: ['medium-size', secret] } } },
  } as const
  const { signal } = new AbortController()

  function asking(answer: unknown) {
    const asked: Question[] = []
    const answerer: Answerer = {
      ask: async (each) => {
        asked.push(each)
        return answer as never
      },
    }
    return { asked, answerer }
  }

  test('have no secret in what is shown, and keep what the answer needs', () => {
    const { definitions } = redactionOf(secret)
    expect(redactedQuestion(question, definitions)).toEqual({ ...question, message: 'for [redacted]' })
    const plain = { ...question, message: 'for you' }
    expect(redactedQuestion(plain, definitions)).toBe(plain)
    expect(redactedQuestion(question, new Secrets())).toBe(question)
    const page = {
      ...question,
      kind: 'url',
      url: `https://a.test/${secret}`,
      host: 'a.test',
      warnings: [],
    } as const
    expect(redactedQuestion(page, definitions).url).toBe(page.url)
    const approval = {
      ...question,
      kind: 'approval',
      tool: secret,
      detail: secret,
      arguments: { text: secret, omitted: 0 },
      change: secret,
      reason: secret,
    } as const
    const { tool, detail, arguments: args, change, reason } = redactedQuestion(approval, definitions)
    expect([tool, detail, args.text, change, reason]).toEqual(Array(5).fill('[redacted]'))
    const consent = { ...page, kind: 'consent', scopes: ['read', secret] } as const
    expect(redactedQuestion(consent, definitions).scopes).toEqual(['read', '[redacted]'])
  })

  test('make their answers secrets, except for values that the form itself has', async () => {
    const redaction = new Redaction()
    const content = { size: 'medium-size', name: 'ada-lovelace', more: ['one-of-many'] }
    const { answerer } = asking({ action: 'accept', content })
    expect(await redactingAnswerer(answerer, redaction).ask(question, { signal })).toEqual({
      action: 'accept',
      content,
    })
    expect(redaction.text('medium-size ada-lovelace one-of-many')).toBe('medium-size [redacted] [redacted]')
  })

  test.each([
    { action: 'decline', content: { name: 'ada-lovelace' } },
    { action: 'accept' },
    { action: 'accept', content: 'ada-lovelace' },
  ])('learn nothing from %j', async (answer) => {
    const redaction = new Redaction()
    await redactingAnswerer(asking(answer).answerer, redaction).ask(question, { signal })
    expect(redaction.answers.isEmpty).toBe(true)
  })

  test('without a form make every answer a secret', async () => {
    const redaction = new Redaction()
    const input = { kind: 'input', id: '1', origin, server: 's', message: 'm', input: { id: 'key' } } as const
    const { answerer } = asking({ action: 'accept', content: { value: 'ada-lovelace' } })
    await redactingAnswerer(answerer, redaction).ask(input, { signal })
    expect(redaction.text('ada-lovelace')).toBe('[redacted]')
  })

  test('reach the same channel, with its kinds', async () => {
    const redaction = redactionOf(secret)
    const { asked, answerer } = asking({ action: 'decline' })
    expect(redactingAnswerer({ ...answerer, kinds: ['form'] }, redaction).kinds).toEqual(['form'])
    expect('kinds' in redactingAnswerer(answerer, redaction)).toBe(false)
    expect(redactingApprover({}, redaction)).toEqual({})
    await redactingApprover({ approver: answerer }, redaction).approver?.ask(question, { signal })
    expect(asked).toMatchObject([{ message: 'for [redacted]' }])
  })
})
