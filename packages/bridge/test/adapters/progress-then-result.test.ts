import { expect, test } from 'vitest'
import { progressThenResult } from '../../src/adapters/progress-then-result.ts'

const result = { content: [] }

test('progress is yielded as it comes, then the result', async () => {
  const read: unknown[] = []
  const outputs = progressThenResult(undefined, async (onProgress) => {
    onProgress({ progress: 1 })
    await Promise.resolve()
    onProgress({ progress: 2 })
    return result
  })
  for await (const output of outputs) read.push(output)
  expect(read).toEqual([{ progress: 1 }, { progress: 2 }, result])
})

test('a call that rejects between two reads rejects the next read', async () => {
  const outputs = progressThenResult(undefined, async (onProgress) => {
    onProgress({ progress: 1 })
    throw new Error('lost')
  })
  expect((await outputs.next()).value).toEqual({ progress: 1 })
  await expect(outputs.next()).rejects.toThrow('lost')
})

test('a call whose output is not read to the end is cancelled', async () => {
  let ended: AbortSignal | undefined
  const outputs = progressThenResult(undefined, (onProgress, signal) => {
    ended = signal
    onProgress({ progress: 1 })
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('cancelled')))
    })
  })
  for await (const output of outputs) {
    expect(output).toEqual({ progress: 1 })
    expect(ended?.aborted).toBe(false)
    break
  }
  expect(ended?.aborted).toBe(true)
})
