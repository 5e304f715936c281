import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Ending, untilEnd } from '../../src/script/until-end.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const nothingUncaught: Ending = { promise: new Promise(() => {}), [Symbol.dispose]: () => {} }

test('a program that ignores an interruption is given up after three seconds', async () => {
  const interruption = new AbortController()
  const ended = untilEnd(() => new Promise(() => {}), nothingUncaught, interruption.signal)
  const state = vi.fn()
  void ended.catch(state)
  interruption.abort(new Error('interrupted'))
  await vi.advanceTimersByTimeAsync(2_999)
  expect(state).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  await expect(ended).rejects.toThrow('interrupted')
})

test('a program that ends after an interruption has its result, and no timer is left', async () => {
  const { signal } = Object.assign(new AbortController(), {})
  expect(await untilEnd(() => 'done', nothingUncaught, AbortSignal.abort())).toBe('done')
  expect(await untilEnd(async () => 'done', nothingUncaught, signal)).toBe('done')
  expect(vi.getTimerCount()).toBe(0)
})
