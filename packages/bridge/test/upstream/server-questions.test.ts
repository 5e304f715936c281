import type { Answerer } from '@toolbridge/bridge'
import type { ElicitRequest, IncomingRequestContext } from '@toolbridge/client'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/async/clock.ts'
import { defaultPolicy } from '../../src/config/spec/policy.ts'
import { defaultQuestionPolicy } from '../../src/elicitation/question-policy.ts'
import { QuestionRouter } from '../../src/elicitation/router.ts'
import { Redaction } from '../../src/journal/redaction/redaction.ts'
import { CallsInFlight, type RequestInFlight } from '../../src/upstream/connections/calls-in-flight.ts'
import { type Caller, Claim } from '../../src/upstream/connections/claim.ts'
import { ServerQuestions } from '../../src/upstream/connections/server-questions.ts'

const origin = { principal: 'ada', conversation: 'chat' }
const form: ElicitRequest = {
  mode: 'form',
  message: 'Name?',
  requestedSchema: { type: 'object', properties: {} },
}
const { signal } = new AbortController()

function callerCalled(name: string, asked: string[]): Caller & { readonly answerer: Answerer } {
  const ask: Answerer['ask'] = async () => {
    asked.push(name)
    return { action: 'accept' }
  }
  return { origin, answerer: { ask } }
}

/** A legacy connection that two callers had one after the other; the second has a call in flight. */
function passedConnection() {
  const [codes, asked]: [string[], string[]] = [[], []]
  const emit = (event: { readonly type: string; readonly code?: string }): void => {
    if (event.type === 'diagnostic' && event.code !== undefined) codes.push(event.code)
  }
  const redaction = new Redaction()
  const router = new QuestionRouter({
    answerer: undefined,
    origin,
    emit,
    redaction,
    clock: systemClock,
    hasJournal: true,
    policy: defaultQuestionPolicy,
    mayAsk: () => true,
  })
  const [first, second] = [callerCalled('first', asked), callerCalled('second', asked)]
  const [claim, calls] = [new Claim(), new CallsInFlight()]
  for (const caller of [first, second]) claim.enter(caller, caller.answerer)
  const args = {}
  const call: RequestInFlight = {
    ...second,
    tool: 'shop__order',
    rawName: 'order',
    args,
    timeoutMs: 60_000,
    over: Promise.resolve(),
    isAnswered: false,
    order: 0,
    position: -1,
  }
  calls.add(call)
  const features = { router, sampling: undefined, roots: undefined, emit, redaction }
  const options = {
    server: 'shop',
    scope: origin,
    calls,
    features,
    claim,
    mayAskAnytime: true,
    elicitation: defaultPolicy.elicitation,
  }
  const questions = new ServerQuestions({ ...options, hold: () => () => {} })
  const ask = (request: Partial<IncomingRequestContext>) =>
    questions.clientOptions.onElicitation?.(form, { signal, ...request })
  const sent = { method: 'tools/call', params: { name: 'order', arguments: args }, options: {} }
  return { ask, asked, codes, sent }
}

test('a question on the stream of a running call goes to its caller [S0-23] [S0-30]', async () => {
  const { ask, asked, codes, sent } = passedConnection()
  expect(await ask({ request: sent })).toMatchObject({ action: 'accept' })
  expect([asked, codes]).toEqual([['second'], []])
})

test('a question on the stream of a call that is over does not go to a caller of another [S0-30] [d.6-1]', async () => {
  const { ask, asked, codes, sent } = passedConnection()
  const earlier = { ...sent, params: { name: 'order', arguments: {} } }
  for (const request of ['ended', earlier] as const)
    expect(await ask({ request })).toEqual({ action: 'decline' })
  expect([asked, codes]).toEqual([[], ['question_unattributed', 'question_unattributed']])
})

test('a question outside of streams goes to the caller that has the connection', async () => {
  const { ask, asked } = passedConnection()
  expect(await ask({})).toMatchObject({ action: 'accept' })
  expect(asked).toEqual(['second'])
})
