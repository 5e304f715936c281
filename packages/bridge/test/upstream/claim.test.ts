import type { Answerer, Origin } from '@toolbridge/bridge'
import { McpError } from '@toolbridge/client'
import { describe, expect, test } from 'vitest'
import { type Channel, Claim } from '../../src/upstream/connections/claim.ts'

const ada: Origin = { principal: 'ada', conversation: 'one' }
const other: Origin = { principal: 'ada', conversation: 'two' }
const anonymous: Origin = { principal: 'ada', conversation: 'three', isAnonymous: true }

function answerer(): Answerer {
  return { ask: async () => ({ action: 'decline' }) }
}

function claimOf(origin: Origin, by: Answerer | undefined, channel: Channel = by): Claim {
  const claim = new Claim()
  claim.enter({ origin, answerer: by }, channel)
  return claim
}

function errorOf(kind: McpError['kind']): McpError {
  return new McpError('no', { kind, code: -1 })
}

test('a new connection is of nobody, and may pass to anybody', () => {
  const claim = new Claim()
  expect([claim.isNew, claim.hasPassed, claim.origin, claim.answerer]).toEqual([
    true,
    false,
    undefined,
    undefined,
  ])
  expect(claim.mayPassTo(ada)).toBe(true)
  expect(claim.belongsTo(ada, undefined)).toBe(false)
})

test('the first caller has it, and its questions go to that answerer', () => {
  const by = answerer()
  const claim = claimOf(ada, by)
  expect([claim.isNew, claim.hasPassed, claim.origin, claim.answerer]).toEqual([false, false, ada, by])
})

describe('it belongs to', () => {
  test('callers of the conversation on the same channel, or without one', () => {
    const by = answerer()
    const claim = claimOf(ada, by, 'chat')
    expect(claim.belongsTo(ada, 'chat')).toBe(true)
    expect(claim.belongsTo(ada, undefined)).toBe(true)
    expect(claim.belongsTo(ada, 'email')).toBe(false)
    expect(claim.belongsTo(ada, by)).toBe(false)
    expect(claim.belongsTo(other, 'chat')).toBe(false)
    expect(claim.belongsTo(other, undefined)).toBe(false)
  })

  test('any caller of the conversation while it has no channel', () => {
    const claim = claimOf(ada, undefined)
    expect(claim.belongsTo(ada, 'chat')).toBe(true)
    expect(claim.belongsTo(other, 'chat')).toBe(false)
  })
})

describe('it may pass to', () => {
  test('its conversation, and from an anonymous conversation to any', () => {
    expect(claimOf(ada, answerer()).mayPassTo(ada)).toBe(true)
    expect(claimOf(ada, answerer()).mayPassTo(other)).toBe(false)
    expect(claimOf(ada, answerer()).mayPassTo(anonymous)).toBe(false)
    expect(claimOf(anonymous, answerer()).mayPassTo(other)).toBe(true)
  })

  test.each<[boolean, unknown]>([
    [true, errorOf('peer')],
    [true, errorOf('unauthorized')],
    [false, errorOf('timeout')],
    [false, errorOf('unreachable')],
    [false, errorOf('closed')],
    [false, new Error('enough')],
    [false, Object.assign(new Error('no'), { kind: 'peer' })],
  ])('others: %j after a request that failed by %o', (isClean, error) => {
    const claim = claimOf(anonymous, answerer())
    claim.failed(error)
    expect(claim.mayPassTo(other)).toBe(isClean)
    expect(claim.mayPassTo(anonymous)).toBe(isClean)
  })
})

describe('a call', () => {
  test('of its conversation on its channel renews the answerer', () => {
    const [first, second] = [answerer(), answerer()]
    const claim = claimOf(ada, first, 'chat')
    claim.enter({ origin: ada, answerer: second }, 'chat')
    expect([claim.answerer, claim.hasPassed]).toEqual([second, false])
  })

  test('of its conversation without a channel changes nothing', () => {
    const by = answerer()
    const claim = claimOf(ada, by, 'chat')
    claim.enter({ origin: ada, answerer: undefined }, undefined)
    expect([claim.answerer, claim.hasPassed]).toEqual([by, false])
    expect(claim.belongsTo(ada, 'email')).toBe(false)
  })

  test('of its conversation gives it the channel that it did not have', () => {
    const claim = claimOf(ada, undefined)
    const by = answerer()
    claim.enter({ origin: ada, answerer: by }, 'chat')
    expect([claim.answerer, claim.hasPassed]).toEqual([by, false])
    expect(claim.belongsTo(ada, 'email')).toBe(false)
  })

  test.each<[string, Origin, Answerer | undefined, Channel]>([
    ['on another channel', ada, answerer(), 'email'],
    ['of another conversation', other, answerer(), 'chat'],
    ['of another conversation without a channel', other, undefined, undefined],
  ])('%s takes it over, with nothing of the previous caller', (_what, origin, by, channel) => {
    const claim = claimOf(ada, answerer(), 'chat')
    claim.enter({ origin, answerer: by }, channel)
    expect([claim.hasPassed, claim.origin, claim.answerer]).toEqual([true, origin, by])
    expect(claim.belongsTo(ada, 'chat')).toBe(false)
    expect(claim.belongsTo(origin, channel)).toBe(true)
  })
})

test('a connection that takes the caller of another has all of it, and has passed', () => {
  const by = answerer()
  const claim = claimOf(ada, answerer(), 'chat')
  claim.take(claimOf(other, by, 'email'))
  expect([claim.hasPassed, claim.origin, claim.answerer]).toEqual([true, other, by])
  expect(claim.belongsTo(other, 'email')).toBe(true)
  expect(claim.belongsTo(other, 'chat')).toBe(false)
})

describe('at rest', () => {
  test('a connection that never passed keeps its answerer for late questions', () => {
    const by = answerer()
    const claim = claimOf(ada, by, 'chat')
    claim.rest()
    expect(claim.answerer).toBe(by)
    expect(claim.belongsTo(ada, 'chat')).toBe(true)
  })

  test('one that has passed releases it, and is of no channel until the next call', () => {
    const claim = claimOf(ada, answerer(), 'chat')
    claim.enter({ origin: ada, answerer: answerer() }, 'email')
    claim.rest()
    expect(claim.answerer).toBeUndefined()
    expect(claim.belongsTo(ada, 'email')).toBe(false)
    expect(claim.mayPassTo(ada)).toBe(true)
  })

  test('one whose server may still ask because of a failed request keeps it', () => {
    const by = answerer()
    const claim = claimOf(ada, answerer(), 'chat')
    claim.enter({ origin: ada, answerer: by }, 'email')
    claim.failed(new Error('enough'))
    claim.rest()
    expect(claim.answerer).toBe(by)
  })
})
