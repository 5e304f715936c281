import type { Answer, Answerer, Origin, Question } from '@toolbridge/bridge'
import type { ElicitRequest } from '@toolbridge/client'
import { describe, expect, test, vi } from 'vitest'
import {
  type CallInFlight,
  QuestionRouter,
  type QuestionRouterOptions,
  type QuestionSource,
} from '../../src/elicitation/router.ts'
import { Redaction } from '../../src/journal/redaction/redaction.ts'
import { ManualClock } from '../servers/manual-clock.ts'

const ada: Origin = { principal: 'ada', conversation: 'chat' }
const bob: Origin = { principal: 'bob', conversation: 'chat' }
const form: ElicitRequest = {
  mode: 'form',
  message: 'Which size?',
  requestedSchema: { type: 'object', properties: { size: { type: 'integer' } } },
}
const page: ElicitRequest = {
  mode: 'url',
  message: 'Pay here',
  elicitationId: 'e1',
  url: 'https://pay.example/now',
}
const running = new Promise<void>(() => {})

interface Channel extends Answerer {
  readonly asked: Question[]
}

function channel(
  answer: unknown = { action: 'accept', content: { size: 4 } },
  more: Partial<Answerer> = {},
): Channel {
  const asked: Question[] = []
  const ask: Answerer['ask'] = async (question) => {
    asked.push(question)
    return answer as Answer
  }
  return { asked, ask, ...more }
}

function call(answerer: Answerer | undefined, more: Partial<CallInFlight> = {}): CallInFlight {
  return { tool: 'shop__order', answerer, over: running, isAnswered: false, ...more }
}

/** A router of Ada's bridge, with everything that it wrote into the journal. */
function openRouter(options: Partial<QuestionRouterOptions> = {}) {
  const events: Record<string, unknown>[] = []
  const clock = new ManualClock()
  const router = new QuestionRouter({
    answerer: undefined,
    origin: ada,
    emit: (event) => void events.push({ ...event }),
    redaction: new Redaction(),
    clock,
    hasJournal: true,
    policy: { answerTimeoutMs: 1_000, maxPerMinute: 3 },
    mayAsk: () => true,
    ...options,
  })
  const ask = (
    request: ElicitRequest,
    asker: Partial<QuestionSource> = {},
    signal: AbortSignal = new AbortController().signal,
  ): Promise<Answer> =>
    router.ask(
      request,
      {
        server: 'shop',
        origin: ada,
        calls: [],
        latestAnswerer: undefined,
        order: ['route', 'handler', 'decline'],
        ...asker,
      },
      signal,
    )
  const told = (): readonly string[] =>
    events.flatMap(({ type, code, message }) => (type === 'diagnostic' ? [[code, message].join(': ')] : []))
  return { router, ask, told, events, clock }
}

describe('a question goes to', () => {
  test('the answerer of the latest call that has one, then of an earlier call, then of the bridge [S0-23]', async () => {
    const [own, first, second] = [channel(), channel(), channel()]
    const { ask } = openRouter({ answerer: own })
    const calls = [call(first), call(second), call(undefined)]
    await ask(form, { calls, latestAnswerer: first })
    await ask(form, { calls: [call(undefined)], latestAnswerer: first })
    await ask(form)
    expect([first, second, own].map(({ asked }) => asked.length)).toEqual([1, 1, 1])
  })

  test('nobody of another person: the answerer of the bridge belongs to one [d.6-1]', async () => {
    const own = channel()
    const { ask, told } = openRouter({ answerer: own })
    expect(await ask(form, { origin: bob })).toEqual({ action: 'decline' })
    expect(own.asked).toEqual([])
    expect(told()).toEqual([
      'question_unanswerable: server "shop": asks a question and there is nobody to answer it; it was declined',
    ])
    const another = { ...ada, conversation: 'another' }
    expect(await ask(form, { origin: another })).toMatchObject({ action: 'accept' })
  })

  test.each<[QuestionSource['order'], string]>([
    [['route', 'handler', 'decline'], 'route'],
    [['handler', 'route', 'decline'], 'handler'],
    [['handler'], 'handler'],
    [['decline', 'route', 'handler'], ''],
    [['off', 'route', 'handler'], ''],
    [[], ''],
  ])('whom the order %j names first', async (order, expected) => {
    const [handler, route] = [channel(), channel()]
    const { ask } = openRouter({ answerer: handler })
    await ask(form, { calls: [call(route)], order })
    const asked = [handler.asked.length === 1 ? 'handler' : '', route.asked.length === 1 ? 'route' : '']
    expect(asked.join('')).toBe(expected)
  })

  test('a channel that can show it', async () => {
    const { ask, told } = openRouter({ answerer: channel(undefined, { kinds: ['form'] }) })
    expect(await ask(form)).toMatchObject({ action: 'accept' })
    expect(await ask(page)).toEqual({ action: 'decline' })
    expect(told()).toEqual([
      'question_unshowable: server "shop": asks a question that the channel of this conversation cannot show (url); it was declined',
    ])
  })
})

describe('the question that is put', () => {
  test('is the form of the server, with who asks for whom', async () => {
    const own = channel()
    const { ask } = openRouter({ answerer: own })
    expect(await ask(form)).toEqual({ action: 'accept', content: { size: 4 } })
    expect(own.asked).toEqual([
      {
        kind: 'form',
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        origin: ada,
        server: 'shop',
        message: 'Which size?',
        schema: form.requestedSchema,
      },
    ])
  })

  test('is the page of the server, and agreeing hands nothing over', async () => {
    const own = channel({ action: 'accept', content: { size: 4 } })
    const { ask } = openRouter({ answerer: own })
    expect(await ask(page)).toEqual({ action: 'accept' })
    expect(own.asked).toMatchObject([
      { kind: 'url', url: page.url, host: 'pay.example', warnings: [], message: 'Pay here' },
    ])
  })

  test('names the tool only where one call may have led to it', async () => {
    const own = channel()
    const { ask } = openRouter({ answerer: own })
    await ask(form, { calls: [call(undefined)] })
    await ask(form, { calls: [call(undefined), call(undefined)] })
    expect(own.asked.map(({ tool }) => tool)).toEqual(['shop__order', undefined])
    expect(own.asked.map((question) => 'tool' in question)).toEqual([true, false])
  })
})

describe('a question is declined', () => {
  test.each<[string, ElicitRequest, string]>([
    [
      'that asks for a secret',
      { ...form, requestedSchema: { type: 'object', properties: { password: { type: 'string' } } } },
      'question_asks_secret: server "shop": asks for a secret by a form ("password"), which passes through programs that must not know it; it has to ask by an address (mode "url")',
    ],
    [
      'that is no form of MCP',
      { ...form, requestedSchema: { type: 'object', properties: { size: { type: 'object' } } } },
      'question_unsupported: server "shop": asks in a way that is not supported: it asks for more than text, numbers, flags and choices',
    ],
    [
      'for an unsafe page',
      { ...page, url: 'http://pay.example/' },
      'question_unsafe_address: server "shop": asks to open a page: its URL is neither https nor on this machine',
    ],
  ])('%s', async (_what, request, reason) => {
    const own = channel()
    const { ask, told } = openRouter({ answerer: own })
    expect(await ask(request)).toEqual({ action: 'decline' })
    expect(own.asked).toEqual([])
    expect(told()).toEqual([`${reason}; it was declined`])
  })

  test('that is longer than 262,144 characters, and not at that length', async () => {
    const own = channel()
    const { ask, told } = openRouter({ answerer: own })
    const rest = JSON.stringify({ ...form, message: '' }).length
    const sized = (length: number): ElicitRequest => ({ ...form, message: 'x'.repeat(length - rest) })
    expect(await ask(sized(262_144))).toMatchObject({ action: 'accept' })
    expect(await ask(sized(262_145))).toEqual({ action: 'decline' })
    expect(told()).toEqual([
      'question_unsupported: server "shop": asks in a way that is not supported: it is longer than 262144 characters; it was declined',
    ])
  })

  test('that a rule denies, by server, kind and origin', async () => {
    const seen: unknown[] = []
    const mayAsk = (...subject: unknown[]): boolean => {
      seen.push(subject)
      return false
    }
    const own = channel()
    const { ask, told } = openRouter({ answerer: own, mayAsk })
    expect([await ask(form), await ask(page)]).toEqual([{ action: 'decline' }, { action: 'decline' }])
    expect(seen).toEqual([
      ['shop', 'form', ada],
      ['shop', 'url', ada],
    ])
    expect(own.asked).toEqual([])
    expect(told()[0]).toBe(
      'question_denied: server "shop": asks a question and a rule says that it may not; it was declined',
    )
  })

  test('that may be of any of several callers', () => {
    const { router, told } = openRouter()
    expect(router.declineUnattributed('shop')).toEqual({ action: 'decline' })
    expect(told()).toEqual([
      'question_unattributed: server "shop": asks a question outside of calls, over a connection that several callers used; it was declined',
    ])
  })

  test('above the limit per minute, server and principal, which is reported once', async () => {
    const { router, ask, told, clock } = openRouter({ answerer: channel() })
    const actions = async (asker: Partial<QuestionSource>): Promise<readonly string[]> => [
      (await ask(form, asker)).action,
      (await ask(form, asker)).action,
    ]
    expect(await actions({})).toEqual(['accept', 'accept'])
    expect(await actions({})).toEqual(['accept', 'decline'])
    expect(await actions({})).toEqual(['decline', 'decline'])
    expect(told()).toEqual(['question_rate_exceeded: server "shop": asks too often; it was declined'])
    expect(await actions({ server: 'bank' })).toEqual(['accept', 'accept'])
    expect(await actions({ origin: bob, latestAnswerer: channel() })).toEqual(['accept', 'accept'])
    clock.advance(60_000)
    expect(await actions({})).toEqual(['accept', 'accept'])
    for (let count = 0; count < 3; count++) router.declineUnattributed('far')
    expect(told().filter((line) => line.startsWith('question_unattributed'))).toHaveLength(3)
    router.declineUnattributed('far')
    expect(told().at(-1)).toBe('question_rate_exceeded: server "far": asks too often; it was declined')
  })
})

describe('the answer', () => {
  test.each<[unknown, Answer]>([
    [{ action: 'decline' }, { action: 'decline' }],
    [{ action: 'decline', content: { size: 4 } }, { action: 'decline' }],
    [{ action: 'cancel' }, { action: 'cancel' }],
    [{ action: 'later' }, { action: 'cancel' }],
    [
      { action: 'accept', content: { size: 4 } },
      { action: 'accept', content: { size: 4 } },
    ],
    [{ action: 'accept' }, { action: 'accept', content: {} }],
  ])('%j is passed on as %j, and both are in the journal', async (given, expected) => {
    const { ask, events } = openRouter({ answerer: channel(given) })
    expect(await ask(form)).toEqual(expected)
    const [asked, answered] = events
    expect(asked).toEqual({
      type: 'question.asked',
      questionId: expect.any(String),
      kind: 'form',
      server: 'shop',
      origin: ada,
    })
    expect(answered).toEqual({
      type: 'question.answered',
      questionId: asked?.['questionId'],
      server: 'shop',
      action: expected.action,
    })
    expect(events).toHaveLength(2)
  })

  test('that does not fit the form is a cancellation, and is not quoted', async () => {
    const { ask, told } = openRouter({ answerer: channel({ action: 'accept', content: { size: 'huge' } }) })
    expect(await ask(form)).toEqual({ action: 'cancel' })
    expect(told()).toEqual([
      expect.stringMatching(
        /^answer_invalid: server "shop": the answer to its question was not usable: size /,
      ),
    ])
    expect(told()[0]).not.toContain('huge')
  })

  test('of an answerer that fails is a cancellation, and its error is not quoted', async () => {
    const { ask, told } = openRouter({ answerer: { ask: () => Promise.reject(new Error('size 4')) } })
    expect(await ask(form)).toEqual({ action: 'cancel' })
    expect(told()).toEqual(['answerer_failed: server "shop": its question could not be put to anybody'])
  })
})

describe('a question that nobody answers', () => {
  /** A channel that never answers and tells when its question is withdrawn. */
  function silent() {
    let signal: AbortSignal | undefined
    const answerer: Answerer = {
      ask: (_question, options) => {
        signal = options.signal
        return new Promise(() => {})
      },
    }
    return { answerer, isWithdrawn: () => signal?.aborted }
  }

  test('is cancelled and withdrawn after the timeout [C12]', async () => {
    const { answerer, isWithdrawn } = silent()
    const { ask, told, clock } = openRouter({ answerer })
    const answer = ask(form)
    clock.advance(999)
    expect(isWithdrawn()).toBe(false)
    clock.advance(1)
    expect(await answer).toEqual({ action: 'cancel' })
    expect(isWithdrawn()).toBe(true)
    expect(told()).toEqual(['answer_timed_out: server "shop": nobody answered its question within 1000 ms'])
  })

  test('is withdrawn by the server without a diagnostic', async () => {
    const { answerer, isWithdrawn } = silent()
    const { ask, told } = openRouter({ answerer })
    const controller = new AbortController()
    const answer = ask(form, {}, controller.signal)
    controller.abort()
    expect(await answer).toEqual({ action: 'cancel' })
    expect(isWithdrawn()).toBe(true)
    expect(told()).toEqual([])
  })

  test('is withdrawn when all calls that may have led to it ended without an answer of the server', async () => {
    const { answerer } = silent()
    const { ask, told } = openRouter({ answerer })
    const over = Promise.resolve()
    expect(await ask(form, { calls: [call(undefined, { over }), call(undefined, { over })] })).toEqual({
      action: 'cancel',
    })
    expect(told()).toEqual([])
  })

  test.each<[string, readonly CallInFlight[]]>([
    ['no call', []],
    ['a call that is still running', [call(undefined, { over: Promise.resolve() }), call(undefined)]],
    [
      'a call that the server answered',
      [
        call(undefined, { over: Promise.resolve(), isAnswered: true }),
        call(undefined, { over: Promise.resolve() }),
      ],
    ],
  ])('stays open after %s', async (_what, calls) => {
    const { answerer, isWithdrawn } = silent()
    const { ask, clock } = openRouter({ answerer })
    const answer = ask(form, { calls })
    await new Promise((resolve) => setImmediate(resolve))
    expect(isWithdrawn()).toBe(false)
    clock.advance(1_000)
    await answer
  })

  test('leaves no timer behind once it is answered', async () => {
    const stopped: string[] = []
    const clock = { now: () => 0, after: () => () => void stopped.push('stopped') }
    const { ask } = openRouter({ answerer: channel(), clock })
    await ask(form)
    expect(stopped).toEqual(['stopped'])
  })
})

describe('without a journal', () => {
  test('a declined question is one line of at most 500 characters on stderr, without secrets', async () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    try {
      const redaction = new Redaction()
      redaction.definitions.keep(['s3cr3t-value-of-shop'])
      const { ask } = openRouter({ hasJournal: false, redaction })
      await ask(form, { server: 's3cr3t-value-of-shop' })
      await ask(form, { server: 'x'.repeat(1_000) })
      const lines = written.mock.calls.map(([text]) => String(text))
      expect(lines).toHaveLength(2)
      expect(lines[0]).toMatch(
        /^server ".*" asks a question and there is nobody to answer it; it was declined \(question_unanswerable\)\n$/,
      )
      expect(lines[0]).not.toContain('s3cr3t')
      expect(lines[1]?.length).toBeLessThanOrEqual(501)
    } finally {
      written.mockRestore()
    }
  })
})
