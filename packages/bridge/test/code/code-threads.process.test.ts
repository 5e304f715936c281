import { createCodeRunner } from '@toolbridge/bridge/code'
import { expect, test } from 'vitest'

const request = { code: 'await tools.a()', functions: ['a'], call: async () => null }

/** The number of worker threads of this process. */
function threads(): number {
  const { workers } = process.report.getReport() as { readonly workers: readonly unknown[] }
  return workers.length
}

/** Whether a promise settles before anything happens outside of this thread. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const settled = promise.then(
    () => true,
    () => true,
  )
  return Promise.race([settled, new Promise<false>((resolve) => setImmediate(() => resolve(false)))])
}

/** Lets what is done in this thread alone go on. */
async function steps(count: number): Promise<void> {
  for (let step = 0; step < count; step++) await Promise.resolve()
}

test('a run that is stopped before it starts ends at once, and leaves no thread behind', async () => {
  const runner = createCodeRunner()
  const abort = new AbortController()
  const running = runner.run({ ...request, signal: abort.signal })
  abort.abort(new Error('not now'))
  expect(await isSettled(running)).toBe(true)
  await expect(running).rejects.toThrow('not now')
  await expect(runner.run({ ...request, signal: abort.signal })).rejects.toThrow('not now')
  await runner.run(request)
  // The spare worker, once it is ready, shows that threads are counted.
  await expect.poll(threads).toBe(1)
  await runner.close()
  expect(threads()).toBe(0)
})

test('a run that is stopped while its thread starts ends at once, and leaves the thread to the next run', async () => {
  const runner = createCodeRunner()
  await runner.run(request)
  for (let attempt = 0; attempt < 3; attempt++) {
    const abort = new AbortController()
    const [first, second] = [runner.run(request), runner.run({ ...request, signal: abort.signal })]
    await steps(50)
    abort.abort(new Error('not now'))
    expect(await isSettled(second)).toBe(true)
    await expect(second).rejects.toThrow('not now')
    await first
  }
  expect(threads()).toBeLessThanOrEqual(2)
  await runner.close()
  expect(threads()).toBe(0)
})

test('a runner that is closed leaves no thread behind, whatever its runs do', async () => {
  const runner = createCodeRunner()
  let begin = (): void => {}
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const call = async (): Promise<void> => begin()
  const endless = runner.run({ ...request, code: 'await tools.a(); for (;;);', call })
  const ended = expect(endless).rejects.toThrow('closed')
  await begun
  const starting = expect(runner.run(request)).rejects.toThrow('closed')
  await runner.close()
  await Promise.all([ended, starting])
  expect(threads()).toBe(0)
  await expect(runner.run(request)).rejects.toThrow('closed')
  expect(threads()).toBe(0)
})
