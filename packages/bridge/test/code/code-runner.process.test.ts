import { AsyncLocalStorage } from 'node:async_hooks'
import { type CodeOutcome, type CodeRequest, createCodeRunner } from '@toolbridge/bridge/code'
import { afterAll, describe, expect, test } from 'vitest'
import { WatchedClock } from '../servers/watched-clock.ts'

const runner = createCodeRunner()
afterAll(() => runner.close())

function run(code: string, more: Partial<CodeRequest> = {}): Promise<CodeOutcome> {
  return runner.run({ code, functions: [], call: async () => null, ...more })
}

describe('code', () => {
  test('returns a value as JSON and logs lines', async () => {
    const outcome = await run(
      `console.log('a', 1, { b: [2] })\nconst x = await Promise.resolve(20)\nreturn { x: x + 1 }`,
    )
    expect(outcome).toEqual({ value: { x: 21 }, logs: ['a 1 {"b":[2]}'], cancelledCalls: 0 })
  })

  test('that returns nothing has no value', async () => {
    expect(await run('const x = 1')).toEqual({ logs: [], cancelledCalls: 0 })
  })

  test('calls functions and gets their values, or their errors', async () => {
    const calls: unknown[] = []
    const outcome = await run(
      `const sums = await Promise.all([1, 2, 3].map((n) => tools['add-one']({ n })))
       try { await tools.broken() } catch (error) { sums.push(error.message) }
       return sums`,
      {
        functions: ['add-one', 'broken'],
        call: async (name, args) => {
          calls.push([name, args])
          if (name === 'broken') throw new Error('it is broken')
          return Number(args['n']) + 1
        },
      },
    )
    expect(outcome.value).toEqual([2, 3, 4, 'it is broken'])
    expect(calls).toEqual([
      ['add-one', { n: 1 }],
      ['add-one', { n: 2 }],
      ['add-one', { n: 3 }],
      ['broken', {}],
    ])
  })

  test('ends the calls that it does not wait for', async () => {
    const ended: boolean[] = []
    const outcome = await run('tools.slow({}); await tools.quick({}); return 1', {
      functions: ['slow', 'quick'],
      call: (name, _args, signal) =>
        name === 'quick'
          ? Promise.resolve(null)
          : new Promise(() => signal.addEventListener('abort', () => ended.push(true))),
    })
    expect(outcome).toEqual({ value: 1, logs: [], cancelledCalls: 1 })
    expect(ended).toEqual([true])
  })

  test('makes no call after it has ended, neither one that waits for its turn nor one of code that goes on', async () => {
    const called: string[] = []
    const code = `const later = async () => { for (let i = 0; i < 100; i++) await 0; tools.late({}) }
      for (let i = 0; i < 20; i++) tools.a({})
      later()
      return 1`
    const call = (name: string, _args: unknown, signal: AbortSignal): Promise<never> => {
      called.push(name)
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }
    expect(await run(code, { functions: ['a', 'late'], call })).toMatchObject({
      value: 1,
      cancelledCalls: 20,
    })
    // Messages of the worker have arrived by the end of another run.
    await run('')
    expect(called).toEqual(Array.from({ length: runner.limits.parallelCalls }, () => 'a'))
  })

  test('makes at most as many calls at once as it may', async () => {
    let waiting: (() => void)[] = []
    let most = 0
    const call = (): Promise<void> =>
      new Promise((resolve) => {
        most = Math.max(most, waiting.push(resolve))
        if (waiting.length < runner.limits.parallelCalls) return
        for (const answer of waiting) answer()
        waiting = []
      })
    await run('await Promise.all(Array.from({ length: 16 }, () => tools.a()))', { functions: ['a'], call })
    expect(most).toBe(8)
  })

  test('is stopped by its signal', async () => {
    const abort = new AbortController()
    const call = async (): Promise<null> => {
      abort.abort(new Error('enough'))
      return null
    }
    const running = run('await tools.a(); for (;;);', { functions: ['a'], call, signal: abort.signal })
    await expect(running).rejects.toThrow('enough')
  })

  test('makes its calls in the asynchronous context of its own run, not of the one that started its worker', async () => {
    const context = new AsyncLocalStorage<string>()
    const called: (string | undefined)[] = []
    const call = async (): Promise<void> => void called.push(context.getStore())
    for (const name of ['first', 'second', 'third'])
      await context.run(name, () => run('await tools.a(); await tools.a()', { functions: ['a'], call }))
    expect(called).toEqual(['first', 'first', 'second', 'second', 'third', 'third'])
  })

  test.each([
    ['let a = 1\nlet b = = 2', { kind: 'syntax', line: 2, message: expect.stringContaining('SyntaxError') }],
    ['\n\nnull.x', { kind: 'error', line: 3, message: expect.stringContaining('TypeError') }],
    ['throw { a: 1 }', { kind: 'error', message: '{"a":1}' }],
    ['return 1n', { kind: 'error', message: expect.stringContaining('not JSON') }],
    ['await new Promise(() => {})', { kind: 'stuck', message: expect.stringContaining('nothing settles') }],
  ])('that fails says why: %j', async (code, failure) => {
    expect(await run(code)).toMatchObject({ failure })
  })
})

describe('TypeScript', () => {
  test('is not what throws a SyntaxError of its own, which runs once', async () => {
    const called: string[] = []
    const code = `})(); tools.a({}); throw new SyntaxError('mine'); (async () => {`
    const { failure } = await run(code, { functions: ['a'], call: async (name) => called.push(name) })
    expect(failure).toMatchObject({ kind: 'syntax', message: 'SyntaxError: mine' })
    expect(called).toEqual(['a'])
  })

  test('runs without its types', async () => {
    const { value } = await run(
      `interface Named { readonly name: string }
       type Pair<T> = [T, T]
       const pair: Pair<Named> = [{ name: 'Ada' }, await tools.echo({ name: 'Grace' }) as Named]
       enum Size { Small = 1, Large }
       const first = <T,>(list: readonly T[]): T => list[0]!
       return [first(pair).name, pair[1].name satisfies string, Size.Large]`,
      { functions: ['echo'], call: async (_name, args) => args },
    )
    expect(value).toEqual(['Ada', 'Grace', 2])
  })

  test.each([
    ['interface A {\n  a: string\n}\nconst a: A = { a: "" }\nnull.x', { kind: 'error', line: 5 }],
    ['type A =\n  | 1\n  | 2\nconst f = (a: A): never => {\n  throw new Error("no")\n}\nf(1)', { line: 5 }],
    ['enum A {\n  B,\n  C,\n}\nconst a: A = A.C\nnull.x', { kind: 'error', line: 6 }],
    ['const a: number = 1\nconst b: number = = 2', { kind: 'syntax', line: 2 }],
    ['const a: number = 1\nreturn (', { kind: 'syntax', line: 3 }],
  ])('that fails has its own lines: %j', async (code, failure) => {
    expect((await run(code)).failure).toMatchObject(failure)
  })
})

describe('limits', () => {
  test('time of calls does not count, and that of the code adds up', async () => {
    const clock = new WatchedClock()
    const timed = createCodeRunner({ limits: { timeoutMs: 100 } }, clock)
    const call = async (name: string): Promise<void> => {
      // The code has not said yet that it waits.
      clock.advance(40)
      await clock.cancelled
      clock.advance(1_000_000)
      if (name === 'last') void clock.scheduled.then(() => clock.advance(20))
    }
    const code = `await tools.first(); await tools.last(); 'a'.repeat(5e6).indexOf('a'.repeat(2e6) + 'b')`
    const { failure } = await timed.run({ code, functions: ['first', 'last'], call })
    expect(failure).toMatchObject({ kind: 'limit', limit: 'time' })
    expect(clock.delays).toEqual([100, 60, 20])
    await timed.close()
  })

  test('time', async () => {
    const short = createCodeRunner({ limits: { timeoutMs: 50 } })
    try {
      for (const code of ['for (;;);', `'a'.repeat(5e6).indexOf('a'.repeat(2e6) + 'b')`])
        expect((await short.run({ code, functions: [], call: async () => null })).failure).toMatchObject({
          limit: 'time',
        })
    } finally {
      await short.close()
    }
  })

  test('memory, also when it is missing to settle a promise', async () => {
    const small = createCodeRunner({ limits: { memoryBytes: 3 * 1024 * 1024 } })
    try {
      const code = 'const f = () => new Promise((r) => Promise.resolve().then(() => r(f()))); await f()'
      const { failure } = await small.run({ code, functions: [], call: async () => null })
      expect(failure).toMatchObject({ kind: 'limit', limit: 'memory' })
    } finally {
      await small.close()
    }
  })

  test('memory', async () => {
    const { failure } = await run('const all = []\nfor (;;) all.push(new Array(10000).fill(1))')
    expect(failure).toMatchObject({ kind: 'limit', limit: 'memory', line: 2 })
  })
})
