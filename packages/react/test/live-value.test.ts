import { expect, test } from 'vitest'
import { LiveValue } from '../src/live/live-value.ts'

/** A value whose loads end when the test says so. */
function controlledValue() {
  const loads: PromiseWithResolvers<string[]>[] = []
  let watchers = 0
  const value = new LiveValue<string[]>({
    load: () => {
      const load = withResolvers<string[]>()
      loads.push(load)
      return load.promise
    },
    watch: () => {
      watchers += 1
      return () => {
        watchers -= 1
      }
    },
  })
  return { value, loads, watchers: () => watchers }
}

interface PromiseWithResolvers<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
}

function withResolvers<T>(): PromiseWithResolvers<T> {
  let resolve: (value: T) => void = () => undefined
  let reject: (error: unknown) => void = () => undefined
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve, reject }
}

test('is loaded once for all subscribers, and not before the first', async () => {
  const { value, loads, watchers } = controlledValue()
  value.invalidate()
  expect(loads).toHaveLength(0)
  expect(value.getSnapshot()).toEqual({ data: undefined, error: null, isLoading: true })
  const first = value.subscribe(() => undefined)
  const second = value.subscribe(() => undefined)
  expect(loads).toHaveLength(1)
  expect(watchers()).toBe(2)
  loads[0]?.resolve(['a'])
  first()
  second()
  expect(watchers()).toBe(0)
})

test('a change during a load is followed by one more load, however many there were', async () => {
  const { value, loads } = controlledValue()
  value.subscribe(() => undefined)
  value.invalidate()
  value.invalidate()
  const reloaded = value.reload()
  expect(loads).toHaveLength(1)
  loads[0]?.resolve(['old'])
  await expect.poll(() => loads.length).toBe(2)
  expect(value.getSnapshot().data).toEqual(['old'])
  loads[1]?.resolve(['new'])
  await reloaded
  expect(loads).toHaveLength(2)
  expect(value.getSnapshot()).toEqual({ data: ['new'], error: null, isLoading: false })
})

test('a change without a load is not lost to a response that is older', async () => {
  const { value, loads } = controlledValue()
  value.subscribe(() => undefined)
  const loaded = value.reload()
  value.change((names) => [...names, 'later'])
  expect(value.getSnapshot().data).toBeUndefined()
  loads[0]?.resolve(['a'])
  await expect.poll(() => loads.length).toBe(2)
  expect(value.getSnapshot().data).toEqual(['a', 'later'])
  loads[1]?.resolve(['a', 'b'])
  await loaded
  expect(value.getSnapshot().data).toEqual(['a', 'b'])
})

test('a failed load keeps the data, and the next load removes the error', async () => {
  const { value, loads } = controlledValue()
  value.subscribe(() => undefined)
  loads[0]?.resolve(['a'])
  await expect.poll(() => value.getSnapshot().isLoading).toBe(false)
  const failed = value.reload()
  loads[1]?.reject('out of order')
  await failed
  expect(value.getSnapshot()).toEqual({ data: ['a'], error: new Error('out of order'), isLoading: false })
  const again = value.reload()
  loads[2]?.resolve(['b'])
  await again
  expect(value.getSnapshot()).toEqual({ data: ['b'], error: null, isLoading: false })
})

test('a response that arrives after clear is not shown', async () => {
  const { value, loads } = controlledValue()
  const shown: unknown[] = []
  value.subscribe(() => shown.push(value.getSnapshot().data))
  value.clear()
  const other = value.reload()
  loads[0]?.resolve(['of the person before'])
  loads[1]?.resolve(['mine'])
  await other
  expect(shown).toEqual([undefined, ['mine']])
})
