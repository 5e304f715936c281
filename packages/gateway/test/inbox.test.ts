import { type Problem, paths } from '@toolbridge/api'
import type { FormQuestion } from '@toolbridge/bridge/questions'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readEvents } from './support/events.ts'
import { type Caller, createTestGateway, type TestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { inMemory } from './support/specs.ts'
import { questionsOf, textOf, untilAsked, untilNothingAsked } from './support/waiting.ts'

const lockbox = await openFileLockbox()
let gateway: TestGateway
let local: Caller

beforeEach(() => {
  gateway = createTestGateway({ lockbox, operatorServers: [inMemory('elicit'), inMemory('worldly')] })
  local = gateway.as('local')
})
afterEach(() => gateway[Symbol.asyncDispose]())

const greetMe = (init?: RequestInit): Promise<Response> =>
  local.post(paths.call, { tool: 'mcp://elicit/greet_me' }, init)

test('a question of a server appears in the inbox of who called, and the answer finishes the call', async () => {
  const events = readEvents(await local.get(paths.events))
  const call = greetMe()
  const item = await untilAsked(local)
  expect(item).toMatchObject({ kind: 'form', server: 'elicit', message: 'What is your name?' })
  expect(new Date(item.askedAt).getTime()).toBeGreaterThan(0)
  await events.next('inbox')
  const answered = await local.post(paths.answer(item.id), { action: 'accept', content: { name: 'Ada' } })
  expect(await answered.json()).toEqual({ success: true })
  expect(await textOf(await call)).toBe('Hello, Ada!')
  expect(await questionsOf(local)).toEqual([])
  await events.next('inbox')
  await events.cancel()
})

test('an answer that does not fit is refused with its issues and leaves the question open', async () => {
  const call = greetMe()
  const { id } = await untilAsked(local)
  const refusals = [
    [undefined, ['/name']],
    [{}, ['/name']],
    [{ name: '' }, ['/name']],
    [{ name: 3, excited: 'yes' }, ['/name', '/excited']],
    [{ name: 'Ada', 'x/y': 1 }, ['/x~1y']],
  ] as const
  for (const [content, places] of refusals) {
    const refused = await local.post(paths.answer(id), { action: 'accept', content })
    expect(refused.status).toBe(422)
    const { code, issues }: Problem = await refused.json()
    expect(code).toBe('invalid_answer')
    expect(issues?.map(({ path }) => path)).toEqual(places)
  }
  expect((await local.post(paths.answer(id), { action: 'shrug' })).status).toBe(422)
  expect((await untilAsked(local)).id).toBe(id)
  await local.post(paths.answer(id), { action: 'decline' })
  expect(await textOf(await call)).toBe('declined')
})

test('defaults count as answered, and a choice outside the list does not', async () => {
  const call = local.post(paths.call, { tool: 'mcp://elicit/order_pizza' })
  const { id } = await untilAsked(local)
  const refused = await local.post(paths.answer(id), {
    action: 'accept',
    content: { size: 'huge', count: 1.5 },
  })
  const { issues }: Problem = await refused.json()
  expect(issues?.map(({ path }) => path)).toEqual(['/size', '/count'])
  await local.post(paths.answer(id), { action: 'accept', content: { count: 2 } })
  expect(await textOf(await call)).toBe('2 medium cheese pizza, picked up')
})

test('a page that a server wants opened is shown in full, and agreeing hands nothing over', async () => {
  const params = { mode: 'url', message: 'Pay', elicitationId: 'e', url: 'https://192.0.2.7/now?order=1' }
  const page = { url: params.url, host: '192.0.2.7', warnings: ['the host is an IP address'] }
  for (const [answer, said] of [
    [{ action: 'accept', content: { card: '1' } }, '{"action":"accept"}'],
    [{ action: 'decline' }, '{"action":"decline"}'],
  ] as const) {
    const call = local.post(paths.call, { tool: 'mcp://worldly/ask', arguments: { params } })
    const asked = await untilAsked(local)
    expect(asked).toMatchObject({ kind: 'url', server: 'worldly', message: 'Pay', page })
    await local.post(paths.answer(asked.id), answer)
    expect(await textOf(await call)).toBe(said)
  }
})

test('decline and cancel are told apart', async () => {
  const call = greetMe()
  const { id } = await untilAsked(local)
  await local.post(paths.answer(id), { action: 'cancel' })
  expect(await textOf(await call)).toBe('cancelled')
})

test('a question is open to its owner only, and only once', async () => {
  const call = greetMe()
  const { id } = await untilAsked(local)
  expect(await questionsOf(gateway.as('ada'))).toEqual([])
  const answer = { action: 'accept', content: { name: 'Mallory' } }
  const others = await gateway.as('ada').post(paths.answer(id), answer)
  const unknown = await local.post(paths.answer('nothing'), answer)
  const first = await local.post(paths.answer(id), { action: 'accept', content: { name: 'Ada' } })
  const second = await local.post(paths.answer(id), answer)
  expect([others, unknown, first, second].map(({ status }) => status)).toEqual([404, 404, 200, 404])
  expect(await others.json()).toEqual(await unknown.json())
  expect(await textOf(await call)).toBe('Hello, Ada!')
})

test('of two answers at the same moment one counts', async () => {
  const call = greetMe()
  const { id } = await untilAsked(local)
  const answers = await Promise.all(
    ['Ada', 'Bob'].map((name) => local.post(paths.answer(id), { action: 'accept', content: { name } })),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 404]))
  expect(await textOf(await call)).toMatch(/^Hello, (Ada|Bob)!$/)
})

test('a question whose call ended is withdrawn', async () => {
  const leaving = new AbortController()
  const call = greetMe({ signal: leaving.signal })
  const { id } = await untilAsked(local)
  leaving.abort()
  await call
  await untilNothingAsked(local)
  expect((await local.post(paths.answer(id), { action: 'decline' })).status).toBe(404)
})

test('stopping the gateway withdraws what is open and ends the calls', async () => {
  const call = greetMe()
  await untilAsked(local)
  gateway.stop()
  expect((await call).status).toBe(503)
  await untilNothingAsked(local)
})

test('texts of a question have no control characters and none that hide or reorder text', async () => {
  const hidden = '\u001B[31m\u009B\u0007\u202E\u2066\u061C\u200B\u2060\u2028\uFEFF\u{E0041}'
  const field = { type: 'string', title: `Na${hidden}me`, description: `Yo${hidden}urs` } as const
  const question: FormQuestion = {
    id: 'hidden',
    kind: 'form',
    server: 'elicit',
    tool: `elicit__greet${hidden}`,
    origin: { principal: 'local', conversation: 'one' },
    message: `What is\nyour${hidden} name?`,
    schema: {
      type: 'object',
      properties: {
        name: { ...field, default: `Ad${hidden}a` },
        size: { ...field, enum: [`s${hidden}`, 'm'], enumNames: [`Sm${hidden}all`, 'M'], default: 'm' },
      },
    },
  }
  const leaving = new AbortController()
  const asked = gateway.services.inbox.answererFor('local').ask(question, { signal: leaving.signal })
  // A separator of lines becomes a space, so that it cannot look like a line, and words are not joined.
  const shown = { type: 'string', title: 'Na me', description: 'Yo urs' }
  expect(await untilAsked(local)).toMatchObject({
    tool: 'elicit__greet ',
    message: 'What is\nyour  name?',
    schema: {
      type: 'object',
      properties: {
        name: shown,
        // The server recognizes a choice only as it sent it.
        size: { ...shown, enum: [`s${hidden}`, 'm'], enumNames: ['Sm all', 'M'], default: 'm' },
      },
    },
  })
  leaving.abort()
  await expect(asked).rejects.toThrow()
})
