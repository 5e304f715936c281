import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { BaseJsonRpcTransport } from '../../src/jsonrpc/base-transport.ts'
import type { JsonRpcMessage } from '../../src/jsonrpc/jsonrpc.ts'
import { GENERATED_TIMEOUT_MS, inputs } from '../support/generated.ts'

/** What a server does next. Answers name the nth request so far, counted round. */
type Step =
  | { readonly kind: 'ask' }
  | { readonly kind: 'answer'; readonly request: number; readonly body: AnswerBody; readonly asText: boolean }
  | { readonly kind: 'say'; readonly message: unknown }
  | { readonly kind: 'wait' }

type AnswerBody =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }
  | Readonly<Record<never, never>>

// Loaded with the first request of a server; loading takes longer than the inputs below wait.
beforeAll(() => import('../../src/deferred.ts'))

/** Far above the ids of requests that are made here, so that noise with an id answers none of them. */
const FOREIGN = 1_000_000

const methods = fc.constantFrom(
  'ping',
  'roots/list',
  'elicitation/create',
  'notifications/progress',
  'notifications/cancelled',
  'notifications/message',
  '',
)

const json = fc.jsonValue({ maxDepth: 2 })

const foreignId = fc.oneof(
  fc.integer({ min: FOREIGN }),
  fc.constantFrom<unknown>(0, -1, 0.5, null, true, '', ' 1', '1 ', '01', '1.0', '0x1', '1e0', 'toString'),
  fc.string({ minLength: 8 }),
  fc.array(fc.constant(1), { maxLength: 1 }),
)

const parameters = fc.oneof(
  json,
  fc.record({
    progressToken: fc.oneof(fc.integer({ min: 1, max: 5 }), json),
    progress: fc.oneof(fc.double(), json),
  }),
  fc.record({ requestId: fc.oneof(foreignId, fc.integer({ min: 1, max: 5 })) }),
)

/** A message with one of its parts missing or of the wrong kind, or a whole one that answers nobody. */
const nearlyValid = fc.record(
  {
    jsonrpc: fc.constantFrom<unknown>('2.0', '1.0', 2, null),
    id: foreignId,
    method: fc.oneof(
      methods,
      json.filter((value) => typeof value !== 'string'),
    ),
    params: parameters,
    result: json,
    error: fc.oneof(json, fc.record({ code: fc.integer(), message: fc.string() })),
  },
  { requiredKeys: [] },
)

/** A request of the server's own may have the id of one of ours. */
const serverRequest = fc.record({
  jsonrpc: fc.constant('2.0'),
  id: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.string()),
  method: methods,
  params: parameters,
})

const message = fc.oneof(nearlyValid, serverRequest, json.filter(isNoAnswer))

const body: fc.Arbitrary<AnswerBody> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ result: json }) },
  fc.record({ error: fc.record({ code: fc.integer(), message: fc.string() }) }),
  fc.constant({}),
)

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('ask' as const) }),
  fc.record({ kind: fc.constant('answer' as const), request: fc.nat(), body, asText: fc.boolean() }),
  fc.record({
    kind: fc.constant('say' as const),
    message: fc.oneof(message, fc.array(message, { maxLength: 4 })),
  }),
  fc.record({ kind: fc.constant('wait' as const) }),
)

test(
  'whatever a server says, each request gets its own answer, each request of the server one, and the link lives on [S4-18] [S4-25] [S4-131] [B1 B10 B11]',
  () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const link = new ScriptedLink()
        const asked: Asked[] = []
        for (const each of steps) await take(each, link, asked)
        await Promise.resolve()
        const settledByServer = asked.filter(({ answer }) => answer !== undefined)
        expect(await Promise.all(settledByServer.map(outcomeOf))).toEqual(settledByServer.map(expectedOf))
        expect(asked.filter(({ outcome }) => outcome !== undefined)).toEqual(settledByServer)
        await expectAlive(link)
        await expectAnsweredOnce(link, steps)
        expect(link.requestIds()).toEqual([...new Set(link.requestIds())])
        await link.close()
      }),
      inputs(300),
    ),
  GENERATED_TIMEOUT_MS,
)

interface Asked {
  readonly id: number
  readonly promise: Promise<void>
  /** What the request came to, once it did. */
  outcome: unknown
  /** The first answer that the server gave. */
  answer: AnswerBody | undefined
}

/** A link whose other side is the test itself. */
class ScriptedLink extends BaseJsonRpcTransport {
  readonly sent: JsonRpcMessage[] = []
  readonly handled: unknown[] = []

  constructor() {
    super()
    this.setHandlers({
      onRequest: async (method) => {
        if (method === 'roots/list') throw new Error('the host failed')
        return {}
      },
      onNotification: () => {
        throw new Error('the host failed')
      },
    })
  }

  async start(): Promise<void> {}

  async close(): Promise<void> {
    this.finish()
  }

  hear(heard: unknown): void {
    this.receive(heard)
  }

  requestIds(): readonly unknown[] {
    return this.sent.flatMap((each) => ('method' in each && 'id' in each ? [each.id] : []))
  }

  answerIds(): readonly unknown[] {
    return this.sent.flatMap((each) => ('method' in each ? [] : [each.id]))
  }

  protected override sendMessage(sent: JsonRpcMessage): void {
    this.sent.push(sent)
  }
}

async function take(next: Step, link: ScriptedLink, asked: Asked[]): Promise<void> {
  switch (next.kind) {
    case 'ask':
      return void asked.push(ask(link))
    case 'answer':
      return answer(next, link, asked)
    case 'say':
      return link.hear(next.message)
    case 'wait':
      return new Promise(queueMicrotask)
  }
}

function ask(link: ScriptedLink): Asked {
  const promise = link.request('ask', {}, { onProgress: () => undefined })
  const asked: Asked = {
    id: Number(link.requestIds().at(-1)),
    promise: Promise.resolve(),
    outcome: undefined,
    answer: undefined,
  }
  const settled = promise.then(
    (result) => void (asked.outcome = { result }),
    (error: unknown) => void (asked.outcome = { error }),
  )
  return Object.assign(asked, { promise: settled })
}

function answer(
  { request, body: said, asText }: Extract<Step, { kind: 'answer' }>,
  link: ScriptedLink,
  asked: readonly Asked[],
): void {
  const target = asked[request % Math.max(asked.length, 1)]
  if (target === undefined) return
  target.answer ??= said
  link.hear({ jsonrpc: '2.0', id: asText ? String(target.id) : target.id, ...said })
}

async function outcomeOf(asked: Asked): Promise<unknown> {
  await asked.promise
  return asked.outcome
}

function expectedOf({ answer: said }: Asked): unknown {
  if (said !== undefined && 'result' in said) return said
  const error =
    said !== undefined && 'error' in said ? { kind: 'peer', ...said.error } : { kind: 'malformed' }
  return { error: expect.objectContaining(error) }
}

async function expectAlive(link: ScriptedLink): Promise<void> {
  const last = ask(link)
  link.hear({ jsonrpc: '2.0', id: last.id, result: 'alive' })
  expect(await outcomeOf(last)).toEqual({ result: 'alive' })
}

/** The server may withdraw a request, which then is not answered. */
async function expectAnsweredOnce(link: ScriptedLink, steps: readonly Step[]): Promise<void> {
  await new Promise(setImmediate)
  const said = steps.flatMap((each) => (each.kind === 'say' ? [each.message].flat() : []))
  const requests = said.filter(isRequest).map(({ id }) => id)
  const answers = link.answerIds()
  const count = (list: readonly unknown[], id: unknown): number => list.filter((each) => each === id).length
  const mayWithdraw = said.some((each) => isObject(each) && each['method'] === 'notifications/cancelled')
  for (const id of new Set([...requests, ...answers])) {
    if (mayWithdraw) expect(count(answers, id)).toBeLessThanOrEqual(count(requests, id))
    else expect(count(answers, id)).toBe(count(requests, id))
  }
}

function isRequest(value: unknown): value is { id: unknown } {
  if (!isObject(value)) return false
  const { id, method } = value
  return typeof method === 'string' && (typeof id === 'string' || typeof id === 'number')
}

function isNoAnswer(value: unknown): boolean {
  return !isObject(value) || !('id' in value)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
