import type { Answerer, Origin } from '@toolbridge/bridge'
import { describe, expect, test } from 'vitest'
import { defaultQuestionPolicy, type QuestionPolicy } from '../../src/elicitation/question-policy.ts'
import { CallsInFlight, type RequestInFlight } from '../../src/upstream/connections/calls-in-flight.ts'
import { ConnectionPool, type Slot } from '../../src/upstream/connections/connection-pool.ts'
import {
  anonymousScope,
  type ConnectionScope,
  scopeKey,
  sharedScope,
} from '../../src/upstream/connections/connection-scope.ts'
import { ConnectionScopes } from '../../src/upstream/connections/connection-scopes.ts'

const own: Origin = { principal: 'ada', conversation: 'main' }
const chat: Origin = { principal: 'ada', conversation: 'chat' }
const bob: Origin = { principal: 'bob', conversation: 'main' }
const anonymous: Origin = { principal: 'ada', conversation: 'x', isAnonymous: true }

interface Link {
  readonly scope: ConnectionScope
  readonly mayAskLate: boolean
  close(): Promise<void>
}

function answerer(channel?: string): Answerer {
  return { ask: async () => ({ action: 'decline' }), ...(channel === undefined ? {} : { channel }) }
}

interface Setup {
  readonly own?: Origin
  readonly answerer?: Answerer
  readonly perOrigin?: QuestionPolicy['perOrigin']
  readonly mayAskLate?: boolean
}

function open(setup: Setup = {}) {
  const scopes = new ConnectionScopes({
    server: () => 'shop',
    own: setup.own ?? own,
    answerer: setup.answerer,
    questions: { ...defaultQuestionPolicy, perOrigin: setup.perOrigin ?? 'all' },
  })
  const pool = new ConnectionPool<Link>({
    open: async ({ scope }) => ({ scope, mayAskLate: setup.mayAskLate ?? true, close: async () => {} }),
    isKept: () => true,
    idleMs: 1_000,
  })
  const enter = (origin: Origin, by?: Answerer): Slot<Link> => scopes.enter(pool, { origin, answerer: by })
  return { scopes, pool, enter }
}

test('scopes have the same key only if the same callers may use their connections', () => {
  const scopes: readonly ConnectionScope[] = [
    own,
    chat,
    bob,
    sharedScope('ada'),
    sharedScope('bob'),
    anonymousScope('ada'),
    anonymousScope('bob'),
    { principal: 'ada', conversation: '' },
  ]
  expect(new Set(scopes.map(scopeKey)).size).toBe(scopes.length)
  expect(scopeKey({ ...own, index: 2 })).toBe(scopeKey(own))
  expect(scopeKey(anonymous)).toBe(scopeKey({ ...anonymous, conversation: 'y' }))
  expect(sharedScope('ada')).toEqual({ principal: 'ada', conversation: '', isShared: true })
  expect(anonymousScope('ada')).toEqual({ principal: 'ada', conversation: '', isAnonymous: true })
})

test("only the bridge's origin with its first connection is its own", () => {
  const { scopes } = open()
  const owned = [own, { ...own, index: 1 }, chat, bob].map((scope) => scopes.isOwn(scope))
  expect(owned).toEqual([true, false, false, false])
})

describe('where the server can ask at any time', () => {
  test('each origin has a connection, and each channel at the same time another', () => {
    const { enter } = open()
    const by = answerer('chat')
    expect(enter(own).base).toBe(own)
    expect(enter(chat, by).base).toBe(chat)
    expect(enter(chat, by).scope).toEqual(chat)
    expect(enter(chat, answerer('email')).scope).toEqual({ ...chat, index: 1 })
    expect(enter(chat, answerer('chat')).scope).toEqual(chat)
    expect(enter(bob).base).toBe(bob)
  })

  test("a caller of the bridge's principal without an answerer is on the bridge's channel", () => {
    const { enter } = open({ answerer: answerer('terminal') })
    enter(own, answerer('email'))
    expect(enter(own).scope).toEqual({ ...own, index: 1 })
    expect(enter(own, answerer('terminal')).scope).toEqual({ ...own, index: 1 })
    enter(bob, answerer('email'))
    expect(enter(bob).scope).toEqual(bob)
  })

  test('answerers without the name of a channel are channels of their own', () => {
    const { enter } = open()
    const [first, second] = [answerer(), answerer()]
    enter(chat, first)
    expect(enter(chat, second).scope).toEqual({ ...chat, index: 1 })
    expect(enter(chat, first).scope).toEqual(chat)
  })

  test('anonymous conversations of a principal take turns on one', () => {
    const { enter, pool } = open()
    pool.leave(enter(anonymous, answerer()))
    expect(enter({ ...anonymous, conversation: 'y' }, answerer()).scope).toEqual(anonymousScope('ada'))
    const like = open({ own: { ...own, isAnonymous: true } })
    expect(like.enter(anonymous).base).toEqual({ ...own, isAnonymous: true })
    expect(like.enter({ ...anonymous, principal: 'bob' }).base).toEqual(anonymousScope('bob'))
  })
})

describe('where the server can ask in results only', () => {
  test.each<[string, Setup]>([
    ['as the policy says', { perOrigin: 'none' }],
    ['as the policy says of others', { perOrigin: ['bank'] }],
  ])('all origins of a principal share a connection, %s', (_what, setup) => {
    const { enter } = open(setup)
    expect(enter(chat).base).toBe(own)
    expect(enter(bob).base).toEqual(sharedScope('bob'))
  })

  test('and when the server is modern, until it is not', () => {
    const { enter, scopes } = open()
    scopes.opened({ isModern: true })
    expect(enter(chat).base).toBe(own)
    scopes.opened({ isModern: false })
    expect(enter(chat).base).toBe(chat)
  })
})

test('a server may ask at any time over connections that are not shared, as the policy says', () => {
  expect(open().scopes.mayAskAnytime(chat)).toBe(true)
  expect(open().scopes.mayAskAnytime(sharedScope('ada'))).toBe(false)
  expect(open({ perOrigin: 'none' }).scopes.mayAskAnytime(chat)).toBe(false)
})

describe('the connection of a call', () => {
  const caller = { origin: chat, answerer: undefined }

  test('is shared where the server cannot ask late', async () => {
    const { scopes, pool } = open({ mayAskLate: false })
    scopes.opened({ isModern: true })
    const taken: { slot: Slot<Link> | undefined } = { slot: undefined }
    expect((await scopes.connectionFor(pool, caller, taken, undefined)).scope).toEqual(own)
    expect(taken.slot?.users).toBe(1)
  })

  test('is that of the slot that was entered before', async () => {
    const { scopes, pool } = open()
    const slot = scopes.enter(pool, caller)
    const taken = { slot }
    await scopes.connectionFor(pool, caller, taken, undefined)
    expect(taken.slot).toBe(slot)
    expect(slot.users).toBe(1)
  })

  test('that opens can be given up', async () => {
    const { scopes } = open()
    const never = new ConnectionPool<Link>({
      open: () => new Promise(() => {}),
      isKept: () => true,
      idleMs: 1_000,
    })
    const controller = new AbortController()
    const taken = { slot: undefined }
    const waiting = scopes.connectionFor(never, caller, taken, controller.signal)
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
  })

  test('that fails to open fails the call', async () => {
    const { scopes } = open()
    const broken = new ConnectionPool<Link>({
      open: () => Promise.reject(new Error('no server')),
      isKept: () => true,
      idleMs: 1_000,
    })
    const failing = scopes.connectionFor(broken, caller, { slot: undefined }, undefined)
    await expect(failing).rejects.toThrow('no server')
  })

  test('is left once when the pool closes before another one is entered', async () => {
    const { scopes, pool } = open()
    scopes.opened({ isModern: true })
    await pool.use(own, undefined, async () => {})
    const taken: { slot: Slot<Link> | undefined } = { slot: undefined }
    const calling = scopes.connectionFor(pool, caller, taken, undefined)
    const closing = pool.close()
    await expect(calling).rejects.toMatchObject({ kind: 'closed' })
    expect(taken.slot).toBeUndefined()
    await closing
  })
})

describe('the calls in flight', () => {
  function request(name: string, more: Partial<RequestInFlight> = {}): RequestInFlight {
    return {
      origin: chat,
      answerer: undefined,
      timeoutMs: 1_000,
      over: Promise.resolve(),
      isAnswered: false,
      rawName: name,
      args: {},
      order: -1,
      position: -1,
      ...more,
    }
  }

  test('are in the order of their start, whichever ended', () => {
    const calls = new CallsInFlight()
    const [a, b, c, d] = [request('a'), request('b'), request('c'), request('d')]
    for (const call of [a, b, c]) calls.add(call)
    calls.delete(a)
    calls.add(d)
    expect([...calls].map(({ rawName }) => rawName)).toEqual(['b', 'c', 'd'])
    calls.delete(a)
    expect([...calls]).toHaveLength(3)
    for (const call of [c, d, b]) calls.delete(call)
    expect([...calls]).toEqual([])
    calls.delete(b)
    expect([...calls]).toEqual([])
  })

  test('that led to a request are those with its name and its very arguments', () => {
    const calls = new CallsInFlight()
    const args = { a: 1 }
    const [one, same, other, read] = [
      request('order', { args }),
      request('order', { args }),
      request('order', { args: { a: 1 } }),
      request('x'),
    ]
    for (const call of [one, same, other, request('cancel', { args }), read]) calls.add(call)
    const sent = { method: 'tools/call', params: { name: 'order', arguments: args }, options: {} }
    expect(calls.thatSent(sent)).toEqual([one, same])
    expect(calls.thatSent({ ...sent, params: undefined })).toEqual([])
    const { rawName: _name, args: _args, ...plain } = request('x')
    calls.add(plain)
    expect(calls.thatSent({ ...sent, method: 'resources/read' })).toEqual([plain])
    expect(calls.thatSent({ ...sent, method: 'tasks/get' })).toHaveLength(6)
  })
})
