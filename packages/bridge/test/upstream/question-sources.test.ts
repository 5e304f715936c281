import type { Answerer, Origin } from '@toolbridge/bridge'
import type { ElicitRequest, IncomingRequestContext, SamplingRequest } from '@toolbridge/client'
import { LATEST_MODERN_VERSION } from '@toolbridge/client/internal'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/async/clock.ts'
import { defaultQuestionPolicy } from '../../src/elicitation/question-policy.ts'
import { QuestionRouter } from '../../src/elicitation/router.ts'
import { Redaction } from '../../src/journal/redaction/redaction.ts'
import { SettableRoots } from '../../src/roots.ts'
import { Sampling, type SamplingSource } from '../../src/sampling.ts'
import { CallsInFlight, type RequestInFlight } from '../../src/upstream/connections/calls-in-flight.ts'
import { Claim } from '../../src/upstream/connections/claim.ts'
import type { ConnectionScope } from '../../src/upstream/connections/connection-scope.ts'
import {
  ServerQuestions,
  type ServerQuestionsOptions,
} from '../../src/upstream/connections/server-questions.ts'

const ada: Origin = { principal: 'ada', conversation: 'chat' }
const form: ElicitRequest = {
  mode: 'form',
  message: 'Name?',
  requestedSchema: { type: 'object', properties: {} },
}
const page: ElicitRequest = { mode: 'url', message: 'Pay', elicitationId: 'e1', url: 'https://pay.example/' }
const prompt: SamplingRequest = { messages: [], maxTokens: 10 }
const { signal } = new AbortController()

function answering(action: 'accept' | 'decline', origins: Origin[] = []): Answerer {
  return {
    ask: async ({ origin }) => {
      origins.push(origin)
      return { action }
    },
  }
}

interface Setup extends Partial<ServerQuestionsOptions> {
  readonly answerer?: Answerer
  readonly sampling?: 'text' | 'tools'
}

function open({ answerer, sampling: how, ...setup }: Setup = {}) {
  const events: Record<string, unknown>[] = []
  const emit = (event: object): void => void events.push({ ...event })
  const redaction = new Redaction()
  const router = new QuestionRouter({
    answerer,
    origin: ada,
    emit,
    redaction,
    clock: systemClock,
    hasJournal: true,
    policy: defaultQuestionPolicy,
    mayAsk: () => true,
  })
  const permitted: SamplingSource[] = []
  const sampling =
    how === undefined
      ? undefined
      : new Sampling(
          {
            sampler: { sample: async () => ({ result: 'result' as never }) },
            servers: ['shop'],
            offersTools: how === 'tools',
          },
          { emit, permit: async (asker) => void permitted.push(asker) },
        )
  const held: string[] = []
  const questions = new ServerQuestions({
    server: 'shop',
    scope: ada,
    calls: new CallsInFlight(),
    features: { router, sampling, roots: undefined, emit, redaction },
    elicitation: ['route', 'handler', 'decline'],
    mayAskAnytime: true,
    claim: new Claim(),
    hold: () => {
      held.push('held')
      return () => void held.push('let go')
    },
    ...setup,
  })
  const codes = () => events.flatMap(({ type, code }) => (type === 'diagnostic' ? [code] : []))
  return { questions, events, codes, held, permitted }
}

function request(more: Partial<RequestInFlight> = {}): RequestInFlight {
  return {
    origin: ada,
    answerer: undefined,
    timeoutMs: 1_000,
    over: Promise.resolve(),
    isAnswered: true,
    order: 0,
    position: 0,
    ...more,
  }
}

const modern = { protocolVersion: LATEST_MODERN_VERSION } as never
const legacy = { protocolVersion: '2025-11-25' } as never

describe('what a connection declares', () => {
  const declared = (setup: Setup) => open(setup).questions.questionsOf(request()).capabilities
  const answerer = answering('accept')
  const elicitation = { form: {}, url: {} }

  test.each<[string, Setup, object]>([
    ['questions of calls that bring an answerer', {}, { elicitation }],
    ['no questions where they are off', { elicitation: ['off'], answerer }, {}],
    ['no questions where nobody is named', { elicitation: [], answerer }, {}],
    ['no questions for an answerer that is missing', { elicitation: ['handler'] }, {}],
    ['no questions for an answerer that is missing, before off', { elicitation: ['handler', 'off'] }, {}],
    [
      'questions for the answerer of the bridge',
      { elicitation: ['handler', 'off'], answerer },
      { elicitation },
    ],
    ['questions that are declined', { elicitation: ['decline'] }, { elicitation }],
    ['the model', { sampling: 'text' }, { elicitation, sampling: {} }],
    ['the model with tools', { sampling: 'tools' }, { elicitation, sampling: { tools: {} } }],
    ['no model for other servers', { sampling: 'text', server: 'bank' }, { elicitation }],
    ['roots', { roots: new SettableRoots([]) }, { elicitation, roots: {} }],
  ])('%s', (_what, setup, capabilities) => {
    expect(declared(setup)).toEqual(capabilities)
  })

  test.each<[Setup, readonly string[]]>([
    [{}, ['offersUrls', 'onElicitation']],
    [{ mayAskAnytime: false }, ['offersUrls']],
    [{ elicitation: ['off'] }, ['offersUrls']],
    [{ sampling: 'text' }, ['offersUrls', 'onElicitation', 'onSampling', 'samplingTools']],
    [{ sampling: 'text', mayAskAnytime: false }, ['offersUrls', 'samplingTools']],
    [{ roots: new SettableRoots([]) }, ['offersUrls', 'onElicitation', 'roots']],
  ])('to a legacy server with %o: %j', (setup, names) => {
    const { clientOptions } = open(setup).questions
    expect(Object.keys(clientOptions).toSorted()).toEqual(names)
    expect(clientOptions.offersUrls).toBe(true)
  })

  test('with the tools of the model and the current roots', () => {
    expect(open({ sampling: 'tools' }).questions.clientOptions.samplingTools).toBe(true)
    expect(open({ sampling: 'text' }).questions.clientOptions.samplingTools).toBe(false)
    const roots = new SettableRoots([{ uri: 'file:///a' }])
    const list = open({ roots }).questions.clientOptions.roots
    expect(typeof list === 'function' ? list() : list).toEqual([{ uri: 'file:///a' }])
  })
})

test('the era of a connection decides when its server may ask', () => {
  const { questions } = open()
  expect([questions.isModern, questions.mayAskLate]).toEqual([false, true])
  questions.opened(modern)
  expect([questions.isModern, questions.mayAskLate]).toEqual([true, false])
  expect(Object.keys(questions.questionsFor(request()))).toEqual(['capabilities', 'onRequest'])
  questions.opened(legacy)
  expect([questions.isModern, questions.mayAskLate]).toEqual([false, true])
  expect(questions.questionsFor(request())).toEqual({})
  expect(open({ mayAskAnytime: false }).questions.mayAskLate).toBe(false)
})

describe('a question in the result of a call', () => {
  const ask = (setup: Setup, method: string, params: unknown, call = request()) =>
    open(setup).questions.questionsOf(call).onRequest(method, params, { signal })

  test('goes to the answerer of that call, for its origin', async () => {
    const origins: Origin[] = []
    const bob: Origin = { principal: 'bob', conversation: 'x', isAnonymous: true }
    const call = request({ origin: bob, answerer: answering('accept', origins) })
    expect(await ask({ answerer: answering('decline') }, 'elicitation/create', form, call)).toEqual({
      action: 'accept',
      content: {},
    })
    expect(origins).toEqual([bob])
  })

  test('asks the model for the caller', async () => {
    const { questions, permitted } = open({ sampling: 'text' })
    const own = answering('accept')
    const { onRequest } = questions.questionsOf(request({ answerer: own }))
    expect(await onRequest('sampling/createMessage', prompt, { signal })).toBe('result')
    expect(permitted).toMatchObject([{ server: 'shop', origin: ada }])
    expect(permitted[0]?.answerer).toBeDefined()
  })

  test.each<[Setup, string]>([
    [{ elicitation: ['off'] }, 'elicitation/create'],
    [{}, 'sampling/createMessage'],
    [{ sampling: 'text' }, 'roots/list'],
  ])('%o: %s is not answered', async (setup, method) => {
    await expect(ask(setup, method, form)).rejects.toMatchObject({
      kind: 'unsupported',
      code: -32601,
      message: `${method} is not answered for a call`,
    })
  })
})

describe('a question of a legacy server', () => {
  function legacyServer(setup: Setup = {}) {
    const opened = open(setup)
    opened.questions.opened(legacy)
    const ask = (request: ElicitRequest, context: Partial<IncomingRequestContext> = {}) =>
      opened.questions.clientOptions.onElicitation?.(request, { signal, ...context })
    const sample = (context: Partial<IncomingRequestContext> = {}) =>
      opened.questions.clientOptions.onSampling?.(prompt, { signal, ...context })
    return { ...opened, ask, sample }
  }

  test('outside of calls goes to the caller that has the connection, else to that of its scope', async () => {
    const origins: Origin[] = []
    const claim = new Claim()
    const scope: ConnectionScope = { ...ada, isAnonymous: true, index: 2 }
    const { ask } = legacyServer({ answerer: answering('accept', origins), claim, scope })
    expect(await ask(form)).toMatchObject({ action: 'accept' })
    claim.enter({ origin: { ...ada, conversation: 'other' }, answerer: undefined }, undefined)
    await ask(form)
    expect(origins).toEqual([
      { ...ada, isAnonymous: true },
      { principal: 'ada', conversation: 'other' },
    ])
  })

  test('keeps the connection open until it is answered', async () => {
    const { ask, held } = legacyServer({ answerer: { ask: () => Promise.reject(new Error('no')) } })
    const answer = ask(form)
    expect(held).toEqual(['held'])
    await answer
    expect(held).toEqual(['held', 'let go'])
  })

  test('goes to the latest answerer of the connection, where its call has none', async () => {
    const claim = new Claim()
    const calls = new CallsInFlight()
    calls.add(request())
    claim.enter({ origin: ada, answerer: answering('accept') }, 'chat')
    expect(await legacyServer({ claim, calls }).ask(form)).toMatchObject({ action: 'accept' })
  })

  test('that may be of several callers is declined, and so is one over a modern connection', async () => {
    const claim = new Claim()
    for (const channel of ['chat', 'email'])
      claim.enter({ origin: ada, answerer: answering('accept') }, channel)
    const { ask, sample, codes, held } = legacyServer({ claim, sampling: 'text' })
    expect(await ask(form)).toEqual({ action: 'decline' })
    await expect(sample()).rejects.toThrow()
    expect(codes()).toEqual(['question_unattributed', 'sampling_refused'])
    expect(held).toEqual([])
    const { questions, codes: ofModern } = open({ answerer: answering('accept') })
    questions.opened(modern)
    expect(await questions.clientOptions.onElicitation?.(form, { signal })).toEqual({ action: 'decline' })
    expect(ofModern()).toEqual(['question_unattributed'])
  })

  test('for the model is asked for the caller, with the answerer of the latest call that has one', async () => {
    const calls = new CallsInFlight()
    calls.add(request({ answerer: answering('accept') }))
    calls.add(request())
    const { sample, permitted, held } = legacyServer({ sampling: 'text', calls })
    expect(await sample()).toBe('result')
    expect(permitted[0]?.answerer).toBeDefined()
    expect(held).toEqual(['held', 'let go'])
    const without = legacyServer({ sampling: 'text' })
    await without.sample()
    expect(without.permitted[0]?.answerer).toBeUndefined()
    const claim = new Claim()
    claim.enter({ origin: ada, answerer: answering('accept') }, 'chat')
    const late = legacyServer({ sampling: 'text', claim })
    await late.sample()
    expect(late.permitted[0]?.answerer).toBeDefined()
  })

  test('to open a page is through when the server says so, once, if it was accepted', async () => {
    const scope: ConnectionScope = { ...ada, isAnonymous: true }
    const { ask, questions, events } = legacyServer({ answerer: answering('accept'), scope })
    const completed = () => events.filter(({ type }) => type === 'question.completed')
    questions.completed({ elicitationId: 'e1' })
    expect(completed()).toEqual([])
    await ask(page)
    for (const params of [undefined, {}, { elicitationId: 1 }, { elicitationId: 'e2' }])
      questions.completed(params)
    expect(completed()).toEqual([])
    questions.completed({ elicitationId: 'e1' })
    questions.completed({ elicitationId: 'e1' })
    expect(completed()).toEqual([{ type: 'question.completed', server: 'shop', origin: ada }])
  })

  test('that was declined, or was a form, completes nothing', async () => {
    const declining = legacyServer({ answerer: answering('decline') })
    await declining.ask(page)
    declining.questions.completed({ elicitationId: 'e1' })
    const accepting = legacyServer({ answerer: answering('accept') })
    await accepting.ask({ ...form, elicitationId: 'e1' } as never)
    accepting.questions.completed({ elicitationId: 'e1' })
    for (const { events } of [declining, accepting])
      expect(events.filter(({ type }) => type === 'question.completed')).toEqual([])
  })
})
