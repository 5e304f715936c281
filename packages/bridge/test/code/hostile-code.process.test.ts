import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CodeOutcome, type CodeRequest, createCodeRunner } from '@toolbridge/bridge/code'

const limits = { memoryBytes: 16 * 1024 * 1024, calls: 20, outputCharacters: 5_000 }
const runner = createCodeRunner({ limits: { ...limits, timeoutMs: 100_000 } })
/** For programs that never end. */
const impatient = createCodeRunner({ limits: { ...limits, timeoutMs: 40 } })
const called: string[] = []
const tools: Pick<CodeRequest, 'functions' | 'call'> = {
  functions: ['echo', 'fail'],
  call: async (name, args) => {
    called.push(name)
    if (name === 'fail') throw new Error('no')
    return args
  },
}
const globalsBefore = Object.keys(globalThis)

/** Runs hostile code. Afterwards the runner still works, and nothing of the host has changed. */
async function attack(code: string, by = runner): Promise<CodeOutcome> {
  called.length = 0
  const outcome = await by.run({ code, ...tools })
  expect(Object.keys(globalThis)).toEqual(globalsBefore)
  expect(Object.keys(Object.prototype)).toEqual([])
  return outcome
}

beforeAll(async () => {
  expect(await runner.run({ code: 'return await tools.echo({ a: 1 })', ...tools })).toMatchObject({
    value: { a: 1 },
  })
})

afterAll(async () => {
  const { value } = await runner.run({ code: 'return 1', ...tools })
  await Promise.all([runner.close(), impatient.close()])
  expect(value).toBe(1)
})

/** Runs expressions in one sandbox, each with what it gives or throws. */
async function valuesOf(expressions: readonly string[]): Promise<readonly unknown[]> {
  const one = (expression: string): string =>
    `out.push(await (async () => { try { return String(await (${expression})) } catch (e) { return 'threw ' + e.name } })())`
  const { value, failure } = await attack(`const out = []\n${expressions.map(one).join('\n')}\nreturn out`)
  expect(failure).toBeUndefined()
  return Array.isArray(value) ? value : []
}

test('prototypes and constructors lead to no object of the host', async () => {
  const constructors = [
    '(() => {}).constructor',
    'tools.echo.constructor',
    'console.log.constructor',
    'globalThis.constructor.constructor',
    'Object.getPrototypeOf(async () => {}).constructor',
    'Object.getPrototypeOf(function* () {}).constructor',
    'tools.echo({}).constructor.constructor',
    '(await tools.echo({})).constructor.constructor',
    '(await tools.fail().catch((e) => e)).constructor.constructor',
    'Reflect.get(tools.echo, "constructor")',
    'new Proxy(tools.echo, {}).constructor',
    'Symbol.prototype.constructor.constructor',
  ]
  const seen = (constructor: string): string => {
    const made = `(${constructor})('return typeof process + typeof require + typeof fetch')()`
    return `${made}.next?.().value ?? ${made}`
  }
  expect(await valuesOf(constructors.map(seen))).toEqual(constructors.map(() => 'undefined'.repeat(3)))
  const attempts = [
    'import("node:fs")',
    'eval("import(\\"node:fs\\")")',
    'new Function("return import(\\"node:child_process\\")")()',
    '(Object.prototype.polluted = 1, Array.prototype.polluted = 1, "polluted here")',
    '(Error.prepareStackTrace = (_, frames) => frames, new Error("x").stack)',
    'Object.setPrototypeOf(tools, { extra: 1 })',
    'Object.defineProperty(tools, "echo", { value: 1 })',
    'delete globalThis.tools',
    'globalThis.tools = {}',
    'tools.__proto__',
  ]
  expect(await valuesOf(attempts)).toEqual([
    expect.stringMatching(/^threw /),
    expect.stringMatching(/^threw /),
    expect.stringMatching(/^threw /),
    'polluted here',
    expect.stringMatching(/^\[object CallSite\]/),
    expect.stringMatching(/^threw /),
    'threw TypeError',
    'threw TypeError',
    'threw TypeError',
    'undefined',
  ])
  expect('polluted' in {}).toBe(false)
})

test('nothing of the host can be seen', async () => {
  const names = [
    'process',
    'require',
    'module',
    'fetch',
    'setTimeout',
    'setInterval',
    'setImmediate',
    'WebSocket',
    'Buffer',
    'Worker',
    'WebAssembly',
    'navigator',
    'std',
    'os',
    'scriptArgs',
    'gc',
    'global',
    'Deno',
    'Bun',
    'XMLHttpRequest',
  ]
  const { value } = await attack(`return ${JSON.stringify(names)}.filter((name) => name in globalThis)`)
  expect(value).toEqual([])
})

test('errors, results and functions are the sandbox’s own, and tell nothing of the host', async () => {
  const failure = `(await tools.fail().catch((e) => e))`
  const own = [
    `${failure} instanceof Error && Object.getPrototypeOf(${failure}) === Error.prototype`,
    `Object.getOwnPropertyNames(${failure}).every((name) => ['message', 'stack'].includes(name))`,
    `${failure}.cause === undefined && ${failure}.code === undefined`,
    `tools.echo({}) instanceof Promise`,
    `Object.getPrototypeOf(await tools.echo({})) === Object.prototype`,
    `Object.getPrototypeOf((await tools.echo({ list: [] })).list) === Array.prototype`,
    `Object.getPrototypeOf(tools) === null && Object.getOwnPropertySymbols(tools).length === 0`,
    `Object.getPrototypeOf(tools.echo) === Function.prototype`,
    `Object.getPrototypeOf(console) === Object.prototype && Object.isFrozen(console)`,
    `Object.getPrototypeOf(globalThis) === Object.prototype`,
    `Reflect.ownKeys(tools.echo).every((key) => ['length', 'name'].includes(key))`,
  ]
  expect(await valuesOf(own)).toEqual(own.map(() => 'true'))
  const texts = [
    `${failure}.stack`,
    `(() => { try { tools.echo(1) } catch (e) { return e.stack } })()`,
    `(() => { try { tools.echo({ get a() { throw new Error('mine') } }) } catch (e) { return e.stack } })()`,
    `(() => { try { tools.echo({ a: 1n }) } catch (e) { return e.stack } })()`,
    `new Error('x').stack`,
    `String(tools.echo)`,
    `String(console.log)`,
    `(() => { try { null.x } catch (e) { return e.stack } })()`,
    `(() => { const f = () => f(); try { f() } catch (e) { return e.stack } })()`,
    `import('node:fs').catch((e) => e.message + e.stack)`,
  ]
  const told = await valuesOf(texts)
  expect(told).toHaveLength(texts.length)
  for (const text of told)
    expect(text).not.toMatch(/^threw|^undefined|node_modules|file:|\.ts|worker|wasm|\/(?!\/)\w+\//)
})

test.each(['undefined', 'null'])(
  'the description of an error cannot be forged, nor lead to an error of the host: %s',
  async (forged) => {
    const outcome = await attack(`Object.prototype.toJSON = () => ${forged}
      const read = (value) => (console.log(value?.stack ?? 'none'), false)
      globalThis.Error = Object.defineProperty(() => {}, Symbol.hasInstance, { value: read })
      throw 'mine'`)
    expect(outcome).toMatchObject({ failure: { kind: 'error', message: 'mine' }, logs: ['none'] })
  },
)

/** Only the deadline ends these. */
const endless = {
  'native calls that cannot be interrupted': [
    `'a'.repeat(5e6).indexOf('a'.repeat(2e6) + 'b')`,
    `'a'.repeat(5e6).lastIndexOf('a'.repeat(2e6) + 'b')`,
    `'a'.repeat(5e6).includes('a'.repeat(2e6) + 'b')`,
    `'a'.repeat(5e6).split('a'.repeat(2e6) + 'b')`,
    `'a'.repeat(5e6).replaceAll('a'.repeat(2e6) + 'b', '')`,
    `new Array(2 ** 32 - 1).indexOf(1)`,
    `Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1)`,
    `Array.prototype.lastIndexOf.call({ length: 2 ** 53 - 1 }, 1)`,
    `new Array(2 ** 32 - 1).join('')`,
    `Array.prototype.copyWithin.call({ length: 2 ** 53 - 1 }, 0, 1)`,
    `Array.prototype.shift.call({ length: 2 ** 53 - 1 })`,
    `Array.prototype.reverse.call({ length: 2 ** 53 - 1 })`,
    `let o = []; for (let i = 0; i < 1e5; i++) o = [o]; JSON.stringify(o)`,
  ],
  'regular expressions': [
    String.raw`/^(a+)+$/.test('a'.repeat(60) + 'b')`,
    String.raw`/^(a|a)*$/.test('a'.repeat(60) + 'b')`,
    String.raw`/^(a|aa)+$/.test('a'.repeat(80) + 'b')`,
    String.raw`/^(\w+\s?)*$/.test('a'.repeat(60) + '!')`,
    String.raw`/(x+x+)+y/.test('x'.repeat(60))`,
    String.raw`/^(([a-z])+.)+[A-Z]([a-z])+$/.test('a'.repeat(60))`,
    String.raw`/(.*)*\1$/.test('a'.repeat(40) + 'b')`,
    String.raw`/^(?:a?){60}a{60}$/.test('a'.repeat(59))`,
    String.raw`'a'.repeat(60).replace(/(a*)*b/g, '')`,
    String.raw`'a'.repeat(60).match(/(?=(a+)+b)a/)`,
    String.raw`new RegExp('(' + 'a*'.repeat(20) + ')*b').exec('a'.repeat(60))`,
  ],
  'endless work in promises': [
    `for (;;) await 0`,
    `await new Promise(() => { const again = () => Promise.resolve().then(again); again() })`,
    `const f = async () => { await f() }; f(); for (;;) await null`,
    `const t = { then(r) { r(t) } }; await t`,
    `async function* g() { for (;;) yield 1 } for await (const x of g());`,
    `for (;;) await Promise.all([1, 2, 3])`,
    `for (;;) await Promise.race([0, 1])`,
    `const again = () => { Promise.resolve().then(again) }; again(); await new Promise(() => {})`,
    `await Promise.any([(async () => { for (;;) await 1 })()])`,
    `for (;;) try { await Promise.reject(1) } catch {}`,
    `for (;;) await tools.echo`,
  ],
}

describe.each(Object.entries(endless))('%s', (_category, programs) => {
  test.each(programs)('%s', async (program) => {
    const { failure } = await attack(program, impatient)
    expect(failure).toMatchObject({ kind: 'limit', limit: 'time' })
  })
})

describe('memory', () => {
  test.each([
    `const a = []; for (;;) a.push(new Array(1000).fill(1))`,
    `const a = []; for (;;) a.push('x'.repeat(1e5))`,
    `const m = new Map(); for (let i = 0; ; i++) m.set(i, { i })`,
    `const s = new Set(); for (let i = 0; ; i++) s.add('x' + i)`,
    `const a = []; for (;;) a.push(new ArrayBuffer(1e6))`,
    `new Uint8Array(1e9)`,
    `new Array(1e8).fill({})`,
    `const a = []; for (;;) a.push(() => a)`,
    `let o = {}; for (;;) o = { o }`,
    `const a = []; for (;;) a.push(Promise.resolve(new Array(100)))`,
    `'x'.repeat(2 ** 29)`,
    `const a = []; for (;;) a.push(Symbol('x'.repeat(1000)))`,
    // Enough is left for the value, and not enough to pass it on.
    `globalThis.a = []; const text = '中'.repeat(1e6)
     try { for (;;) a.push(new ArrayBuffer(2 ** 14)) } catch { a.length -= 256 } return text`,
  ])('%s', async (program) => {
    const { failure } = await attack(program)
    expect(failure).toMatchObject({ kind: 'limit', limit: 'memory' })
  })
})

/** Runs programs in one sandbox, each with the name and the message of what it throws. */
async function thrownBy(programs: readonly string[]): Promise<readonly unknown[]> {
  const thrown = (program: string): string =>
    `(async () => { ${program} })().then(() => 'nothing', (e) => e.name + ': ' + e.message)`
  return valuesOf(programs.map(thrown))
}

test('code that recurses deeply, or makes too large a value, gets an exception and can go on', async () => {
  const recursive = [
    `const f = () => f(); f()`,
    `const f = () => g(), g = () => f(); f()`,
    `const o = { get x() { return this.x } }; o.x`,
    `const o = { toString() { return '' + this } }; String(o)`,
    `JSON.parse('['.repeat(1e6))`,
    `JSON.parse('{"a":'.repeat(1e5) + '1' + '}'.repeat(1e5))`,
    `let p = {}; for (let i = 0; i < 1e4; i++) p = new Proxy(p, {}); p.x`,
    `eval('('.repeat(1e5) + '1' + ')'.repeat(1e5))`,
    `eval('['.repeat(1e5))`,
    `const f = async () => { await f() }; await f()`,
    `class A { constructor() { new A() } } new A()`,
    `const a = []; a[0] = a; String(a.flat(Infinity))`,
    `const p = () => new Promise((r) => r(p())); await p()`,
  ]
  expect(await thrownBy(recursive)).toEqual(
    recursive.map(() => 'RangeError: Maximum call stack size exceeded'),
  )
  const large = [
    `new RegExp('('.repeat(1e5) + ')'.repeat(1e5))`,
    `let s = 'a'; for (;;) s = s + s + 'b'`,
    `9n ** 9_999_999n`,
    `(3n ** 3_000_000n).toString()`,
  ]
  expect(await thrownBy(large)).toEqual([
    'SyntaxError: too many captures',
    'InternalError: string too long',
    'RangeError: BigInt is too large to allocate',
    'RangeError: BigInt is too large to allocate',
  ])
})

describe('floods of output', () => {
  test.each([
    `for (;;) console.log('x')`,
    `for (;;) console.log('')`,
    `for (;;) console.error()`,
    `console.log('x'.repeat(1e6))`,
    `console.log(new Array(1e5).fill('x'))`,
    `return 'x'.repeat(1e6)`,
    `return new Array(1e5).fill(1)`,
    `console.log({ toJSON: () => 'x'.repeat(1e6) })`,
    `console.log(...new Array(5000).fill('ab'))`,
    `for (;;) { console.info('a'); await 0 }`,
  ])('%s', async (program) => {
    const { failure, logs } = await attack(program)
    expect(failure).toMatchObject({ kind: 'limit', limit: 'output' })
    expect(logs.join('\n').length).toBeLessThanOrEqual(limits.outputCharacters)
  })

  test.each([
    `throw new Error('x'.repeat(1e6))`,
    `throw 'x'.repeat(1e6)`,
    `throw Object.assign(new Error('a'), { name: 'x'.repeat(1e6) })`,
    `Object.prototype.toJSON = () => ({ message: 'x'.repeat(1e6) }); throw new Error('a')`,
    `})(); throw new Error('x'.repeat(1e6)); (() => {`,
  ])('messages of errors are cut: %s', async (program) => {
    const { failure } = await attack(program)
    expect(failure).toMatchObject({ kind: 'error' })
    expect(failure?.message.length).toBeLessThanOrEqual(2_000)
  })
})

test('a value that is nested too deep for the host is refused', async () => {
  const { failure } = await attack('let a = []; for (let i = 0; i < 2000; i++) a = [a]; return a')
  expect(failure).toEqual({ kind: 'error', message: 'the returned value is nested deeper than 256 levels' })
})

describe('floods of calls', () => {
  test.each([
    `for (;;) tools.echo({})`,
    `for (;;) await tools.echo({})`,
    `await Promise.all(new Array(100).fill(0).map(() => tools.echo({})))`,
    `const again = () => tools.echo({}).then(again); await again()`,
    `const again = () => tools.fail().catch(again); await again()`,
    `for (;;) { tools.echo({}); await 0 }`,
    `tools.echo({ text: 'x'.repeat(2e6) })`,
    `tools.echo({ list: new Array(5e5).fill(1) })`,
    `await tools.echo({}); for (;;) tools.fail().catch(() => {})`,
    `const f = () => { tools.echo({}); return f() }; f()`,
  ])('%s', async (program) => {
    const { failure } = await attack(program)
    expect(failure).toMatchObject({ kind: 'limit' })
    expect(failure?.limit).toBeOneOf(['calls', 'arguments'])
    expect(called.length).toBeLessThanOrEqual(limits.calls)
  })
})

test('results cannot be forged', async () => {
  expect(
    await valuesOf([
      `(Promise.prototype.then = () => 'forged', await tools.echo({ a: 1 })).a`,
      `(JSON.parse = () => ({ forged: 1 }), JSON.stringify = () => '{"forged":1}', JSON.stringify(await tools.echo({ a: 1 })))`,
      `Object.keys(await tools.echo({ toJSON: () => ({ b: 2 }) })).join()`,
      `tools.echo({ toJSON: () => [1] })`,
      `tools.echo({ toJSON: () => undefined })`,
      `tools.echo(new Proxy([], {}))`,
      `Object.keys(await tools.echo(JSON.parse('{"__proto__":{"x":1}}') ?? {})).join()`,
      `tools.echo.call(null, 'text')`,
      `tools.echo({ get a() { throw new RangeError('mine') } })`,
      `typeof tools.missing`,
    ]),
  ).toEqual([
    '1',
    '{"forged":1}',
    'b',
    'threw Error',
    'threw Error',
    'threw TypeError',
    'forged',
    'threw TypeError',
    'threw RangeError',
    'undefined',
  ])
  const { value } = await attack(`return { __proto__: null, logs: 1, failure: { kind: 'limit' } }`)
  expect(value).toEqual({ logs: 1, failure: { kind: 'limit' } })
})

test('while code misbehaves, other runs and their calls go on', async () => {
  const abort = new AbortController()
  const misbehave = [
    `'a'.repeat(5e6).indexOf('a'.repeat(2e6) + 'b')`,
    'for (;;) await 0',
    'const f = () => f(); for (;;) try { f() } catch {}',
  ]
  const begun: Promise<void>[] = []
  const ended = misbehave.map((code) => {
    let begin = (): void => {}
    begun.push(new Promise((resolve) => (begin = resolve)))
    const call = async (): Promise<void> => begin()
    const request = {
      code: `await tools.begin({}); ${code}`,
      functions: ['begin'],
      call,
      signal: abort.signal,
    }
    return expect(runner.run(request)).rejects.toThrow('enough')
  })
  await Promise.all(begun)
  const others = Array.from({ length: 3 }, (_, a) =>
    runner.run({ code: `return await tools.echo({ a: ${a} })`, ...tools }),
  )
  expect(await Promise.all(others)).toMatchObject([0, 1, 2].map((a) => ({ value: { a } })))
  abort.abort(new Error('enough'))
  await Promise.all(ended)
})
