import { createCodeRunner } from '@toolbridge/bridge/code'
import { expect, test } from 'vitest'

const request = { code: 'await tools.a()', functions: ['a'], call: async () => null }

/** The number of worker threads of this process. */
function threads(): number {
  const { workers } = process.report.getReport() as { readonly workers: readonly unknown[] }
  return workers.length
}

test('a run that is stopped before it starts leaves no thread behind', async () => {
  const runner = createCodeRunner()
  const abort = new AbortController()
  const running = runner.run({ ...request, signal: abort.signal })
  abort.abort(new Error('not now'))
  await expect(running).rejects.toThrow('not now')
  await expect(runner.run({ ...request, signal: abort.signal })).rejects.toThrow('not now')
  // The spare worker, once it is ready, shows that threads are counted.
  await expect.poll(threads).toBe(1)
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
