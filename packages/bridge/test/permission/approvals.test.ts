import {
  type Answer,
  type Answerer,
  type BridgeEvent,
  DeniedError,
  openBridge,
  type Question,
  toText,
} from '@toolbridge/bridge'
import { describe, expect, test } from 'vitest'
import { inMemory } from '../servers/in-memory.ts'
import { permissive } from '../servers/specs.ts'

const options = { ...permissive([inMemory('hello')]), permissions: { mode: 'ask' } } as const

function answering(action: Answer['action']): Answerer {
  return { ask: async () => ({ action }) }
}

describe('a call that nobody agreed to is not made', () => {
  test.each([
    ['there is nobody to ask', undefined, 'no_answerer'],
    ['the person refuses', answering('decline'), 'approval_refused'],
    ['the question ends without an answer', answering('cancel'), 'approval_expired'],
    ['the answer is none', { ask: async () => JSON.parse('{}') }, 'approval_expired'],
    ['the question reaches nobody', { ask: () => Promise.reject(new Error('no line')) }, 'no_answerer'],
  ])('when %s', async (_when, answerer, code) => {
    const events: BridgeEvent[] = []
    const journal = (event: BridgeEvent): void => void events.push(event)
    await using bridge = await openBridge({
      ...options,
      journal,
      ...(answerer === undefined ? {} : { answerer }),
    })
    const call = bridge.call('hello__hello', { name: 'Ada' })
    await expect(call).rejects.toThrow(DeniedError)
    await expect(call).rejects.toMatchObject({ code })
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'permission.decided', verdict: 'deny', reason: code }),
    )
    expect(events).toContainEqual(expect.objectContaining({ type: 'call.finished', outcome: 'denied' }))
  })

  test('when nobody decides in time, and the question is withdrawn', async () => {
    let isWithdrawn = false
    const silent: Answerer = {
      ask: (_question, { signal }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => {
            isWithdrawn = true
          })
        }),
    }
    const questions = { answerTimeoutMs: 20 }
    for (const asked of [{ answerer: silent }, { approver: silent }]) {
      isWithdrawn = false
      await using bridge = await openBridge({ ...options, ...asked, questions })
      await expect(bridge.call('hello__hello')).rejects.toMatchObject({ code: 'approval_expired' })
      expect(isWithdrawn).toBe(true)
    }
  })

  test('when a rule denies it, no matter who would agree', async () => {
    const permissions = { mode: 'yolo', deny: ['mcp://hello/*'] } as const
    await using bridge = await openBridge({ ...options, permissions, answerer: answering('accept') })
    await expect(bridge.call('hello__hello')).rejects.toMatchObject({ code: 'denied' })
  })
})

test('the person sees who calls what with which arguments, and to accept allows this one call', async () => {
  const asked: Question[] = []
  const answerer: Answerer = {
    ask: async (question) => {
      asked.push(question)
      return { action: 'accept' }
    },
  }
  await using bridge = await openBridge({ ...options, answerer })
  expect(toText(await bridge.call('hello__hello', { name: 'Ada' }))).toBe('Hello, Ada!')
  await bridge.call('hello__hello')
  expect(asked).toMatchObject([
    {
      kind: 'approval',
      server: 'hello',
      tool: 'hello__hello',
      detail: 'hello__hello {"name":"Ada"}',
      arguments: { text: '{\n  "name": "Ada"\n}', omitted: 0 },
      origin: { principal: 'local', conversation: 'main' },
    },
    { detail: 'hello__hello {}' },
  ])
})

test('what was shown is what is sent, whatever the caller makes of its arguments meanwhile', async () => {
  const args = { name: 'Ada' }
  const answerer: Answerer = {
    ask: async () => {
      args.name = 'Mallory'
      return { action: 'accept' }
    },
  }
  await using bridge = await openBridge({ ...options, answerer })
  expect(toText(await bridge.call('hello__hello', args))).toBe('Hello, Ada!')
})

test('the approver is asked for every origin, before any answerer', async () => {
  const asked: Question[] = []
  const approver: Answerer = {
    ask: async (question) => {
      asked.push(question)
      return { action: 'accept' }
    },
  }
  await using bridge = await openBridge({ ...options, approver, answerer: answering('decline') })
  const origin = { principal: 'bob', conversation: 'x' }
  await bridge.call('hello__hello', {}, { origin, answerer: answering('decline') })
  expect(asked).toMatchObject([{ origin }])
})

test("without an approver, another person's call is put to that person only", async () => {
  await using bridge = await openBridge({ ...options, answerer: answering('accept') })
  const origin = { principal: 'bob', conversation: 'x' }
  await expect(bridge.call('hello__hello', {}, { origin })).rejects.toMatchObject({ code: 'no_answerer' })
  await bridge.call('hello__hello', {}, { origin, answerer: answering('accept') })
})

test('in one conversation there is one question at a time, in the order of the calls', async () => {
  let open = 0
  const seen: string[] = []
  const answerer: Answerer = {
    ask: async (question) => {
      open += 1
      expect(open).toBe(1)
      seen.push(question.kind === 'approval' ? question.detail : '')
      await new Promise((resolve) => setImmediate(resolve))
      open -= 1
      return { action: 'accept' }
    },
  }
  await using bridge = await openBridge({ ...options, answerer })
  await Promise.all(['1', '2', '3', '4'].map((name) => bridge.call('hello__hello', { name })))
  expect(seen).toEqual(['1', '2', '3', '4'].map((name) => `hello__hello {"name":"${name}"}`))
})

test('cancelling a call gives its question up, also while it waits for its turn', async () => {
  const reason = new Error('enough')
  const controller = new AbortController()
  let asked = 0
  await using bridge = await openBridge({
    ...options,
    answerer: {
      ask: () => {
        asked += 1
        return new Promise(() => {})
      },
    },
  })
  const calls = [1, 2].map(() => bridge.call('hello__hello', {}, { signal: controller.signal }))
  await expect.poll(() => asked).toBe(1)
  controller.abort(reason)
  const results = await Promise.allSettled(calls)
  expect(results.map((result) => (result.status === 'rejected' ? result.reason : undefined))).toEqual([
    reason,
    reason,
  ])
  expect(asked).toBe(1)
})

test('closing the bridge ends a call that waits for an approval', async () => {
  const bridge = await openBridge({ ...options, answerer: { ask: () => new Promise(() => {}) } })
  const call = expect(bridge.call('hello__hello')).rejects.toMatchObject({ kind: 'closed' })
  await bridge.close()
  await call
})
