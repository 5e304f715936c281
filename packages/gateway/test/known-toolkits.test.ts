import { afterEach, expect, test, vi } from 'vitest'
import { KnownToolkits } from '../src/workflow/known-toolkits.ts'
import { noToolkits } from '../src/workflow/saved-toolkits.ts'

afterEach(() => void vi.useRealTimers())

const work = async (): Promise<void> => undefined

test('the toolkits of an owner are kept while they are used, and as long as a client stays open after that', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const read = vi.fn(async () => noToolkits)
  const known = new KnownToolkits(read, 1_000)
  await known.use('ada', work)
  await vi.advanceTimersByTimeAsync(900)
  await known.use('ada', () => vi.advanceTimersByTimeAsync(5_000).then(work))
  await vi.advanceTimersByTimeAsync(900)
  await known.use('ada', work)
  expect(read).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1_000)
  await known.use('ada', work)
  expect(read).toHaveBeenCalledTimes(2)
  known.close()
})

test('toolkits that could not be read, or were forgotten meanwhile, are read again', async () => {
  const read = vi.fn(async () => noToolkits)
  const known = new KnownToolkits(read, 1_000)
  read.mockRejectedValueOnce(new Error('no store'))
  await expect(known.use('ada', work)).rejects.toThrow('no store')
  const using = known.use('ada', work)
  known.forget('ada')
  await using
  await known.use('ada', work)
  await known.use('bob', work)
  expect(read.mock.calls).toHaveLength(4)
  known.forget()
  await known.use('bob', work)
  expect(read.mock.calls).toHaveLength(5)
  known.close()
})
