import type { Script, ScriptContext } from 'toolbridge'
import { expect, expectTypeOf, test } from 'vitest'
import { put, useFolder } from '../folders.ts'
import { type InProcessOptions, runInProcess } from '../in-process.ts'
import { hello, linkHello } from '../servers.ts'
import type { Finished } from '../transcript.ts'

const folder = useFolder()

/** Runs a program with the server that greets. */
function runProgram(
  code: string,
  words: readonly string[] = [],
  options: InProcessOptions = {},
): Promise<Finished> {
  put(folder.path, 'mcp.json', { mcpServers: { hello } })
  put(folder.path, 'program.mjs', code)
  return runHere(['run', 'program.mjs', '--mcp', 'mcp.json', ...words], options)
}

function runHere(args: readonly string[], options: InProcessOptions = {}): Promise<Finished> {
  return runInProcess(args, {
    cwd: folder.path,
    transportOf: linkHello,
    importModule: (url) => import(/* @vite-ignore */ url),
    ...options,
    env: { HOME: folder.path, ...options.env },
  })
}

const greets = `export default async ({ bridge, args: [name], signal }) => {
  const { content } = await bridge.call('hello__hello', { name }, { signal })
  return content[0].text
}`

test('a program gets the tools of the configuration, and its text is printed as it is [S3-1]', async () => {
  const printed = { code: 0, stdout: 'Hello, Ada!\n', stderr: '' }
  expect(await runProgram(greets, ['Ada'])).toEqual(printed)
  // As a global option too.
  expect(await runHere(['--mcp', 'mcp.json', 'run', 'program.mjs', 'Ada'])).toEqual(printed)
})

test('a program runs without any configuration, and has no tools then [S3-4]', async () => {
  put(folder.path, 'program.mjs', 'export default ({ bridge }) => bridge.tools.length')
  expect(await runHere(['run', 'program.mjs'])).toEqual({ code: 0, stdout: '0\n', stderr: '' })
})

test('--server without a configuration says where it was looked for', async () => {
  put(folder.path, 'program.mjs', 'export default () => 1')
  expect(await runHere(['run', 'program.mjs', '--server', 'hello'])).toMatchObject({ code: 6, stdout: '' })
})

test.each([
  ['text with a line break', `'a\\n'`, [], 'a\n\n'],
  ['text, as JSON', `'a'`, ['--format', 'json'], '"a"\n'],
  ['an object', `({ a: [1] })`, [], '{"a":[1]}\n'],
  ['an object, over several lines', `({ a: 1 })`, ['--pretty'], '{\n  "a": 1\n}\n'],
  ['nothing', 'undefined', [], ''],
  ['nothing, as JSON', 'undefined', ['--format', 'json'], 'null\n'],
  ['text that could change the terminal', `'a\\u001b[2Jb'`, [], 'ab\n'],
])('the result of a program is printed: %s', async (_, result, words, stdout) => {
  expect(await runProgram(`export default async () => ${result}`, words)).toMatchObject({ code: 0, stdout })
})

test('words after the program are its arguments, and those with dashes follow --', async () => {
  const code = 'export default ({ args }) => args'
  const { stdout } = await runProgram(code, ['one', '--', '--two', '-3'])
  expect(JSON.parse(stdout)).toEqual(['one', '--two', '-3'])
  expect(await runProgram(code, ['--two'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('unknown option "--two". Options of the program go after --'),
  })
})

test('calls need no approval, unless a rule says so', async () => {
  const denied = await runProgram(greets, ['Ada', '--deny', 'mcp://hello/hello'])
  expect(denied).toMatchObject({
    code: 4,
    stdout: '',
    stderr: expect.stringMatching(/^toolbridge: denied: /),
  })
  expect(denied.stderr).toContain(`    at `)
  expect(denied.stderr).not.toContain('/bridge/')
  const asked = await runProgram(greets, ['Ada', '--ask', 'mcp://hello/hello'])
  expect(asked).toMatchObject({ code: 4, stderr: expect.stringContaining('approve') })
})

test('the lines of a program are named below any number of lines of its packages', async () => {
  const before = Error.stackTraceLimit
  Error.stackTraceLimit = 1
  try {
    const { stderr } = await runProgram(greets, ['Ada', '--deny', 'mcp://hello/hello'])
    expect(stderr).toMatch(/^ {4}at .*program\.mjs:2:\d+/m)
    expect(Error.stackTraceLimit).toBe(1)
  } finally {
    Error.stackTraceLimit = before
  }
})

test('an error of a program is its message with the lines of the program', async () => {
  const lines = [
    'function fail() {',
    `  throw new TypeError('not so')`,
    '}',
    'export default () => fail()',
    '',
  ]
  const { code, stdout, stderr } = await runProgram(lines.join('\n'))
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr.split('\n')).toEqual([
    'toolbridge: TypeError: not so',
    expect.stringMatching(/^ {4}at fail \(.*program\.mjs:2:9\)$/),
    expect.stringMatching(/^ {4}at \S+ \(.*program\.mjs:4:\d+\)$/),
    '',
  ])
})

test.each([
  ['a text', `export default () => { throw 'enough' }`, 1, /^toolbridge: the program threw enough\n$/],
  ['an error while it is loaded', `throw new Error('early')`, 1, /^toolbridge: early\n {4}at .*:1:7\)?\n$/],
  [
    'an AbortError of its own',
    `export default () => { throw new DOMException('mine', 'AbortError') }`,
    1,
    /AbortError: mine/,
  ],
  ['a result that is not JSON', `export default () => 1n`, 1, /cannot be JSON: .*BigInt/],
  ['no default export', `export const a = 1`, 2, /program\.mjs: no function is exported as default/],
  ['a package that is not installed', `import 'no-such-package'`, 2, /no-such-package/],
])('a program fails with %s', async (_, source, code, stderr) => {
  expect(await runProgram(source)).toEqual({ code, stdout: '', stderr: expect.stringMatching(stderr) })
})

test.each([
  [['run'], 'missing program'],
  [['run', 'nowhere.ts'], 'nowhere.ts: file not found'],
  [['run', '.'], 'expected a program in one of .ts, .mts, .js, .mjs, .cjs'],
  [['run', 'program.py'], 'expected a program in one of'],
])('%j is refused before a server is started', async (args, message) => {
  expect(await runHere(args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) })
})

test('a server that does not start is reported, and the program runs', async () => {
  put(folder.path, 'mcp.json', { mcpServers: { missing: { command: 'no-such-program' } } })
  put(folder.path, 'program.mjs', 'export default ({ bridge }) => bridge.status()[0].state')
  const { code, stdout, stderr } = await runHere(['run', 'program.mjs', '--mcp', 'mcp.json'])
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'failed\n' })
  expect(stderr).toMatch(/^missing: /m)
})

test('the types of a program are those of the package', () => {
  const program: Script = ({ bridge, args }) => bridge.call('hello__hello', { name: args[0] })
  expectTypeOf(program).parameter(0).toEqualTypeOf<ScriptContext>()
  expectTypeOf<ScriptContext['signal']>().toEqualTypeOf<AbortSignal>()
})
