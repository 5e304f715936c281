import { canary } from '@toolbridge/testkit/secrets'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { windowsSpawnPlan } from '../../src/stdio.ts'
import { argumentsOf, putVariablesInPlace, readLine } from './windows-command-line.ts'

const env = {
  Path: 'C:\\Tools;"C:\\Program Files\\nodejs\\";;D:\\bin',
  PATHEXT: '.COM;.EXE;.BAT;.CMD',
  ComSpec: 'C:\\Windows\\System32\\cmd.exe',
}

const files = [
  'C:\\Program Files\\nodejs\\node.exe',
  'C:\\Program Files\\nodejs\\npx',
  'C:\\Program Files\\nodejs\\npx.cmd',
  'D:\\bin\\npx.cmd',
  'D:\\bin\\100%PATH% & co\\run.bat',
  'C:\\Tools\\server.exe',
  'D:\\bin\\server.cmd',
]

test.each([
  ['a program of PATH is started by its full path', 'node', 'C:\\Program Files\\nodejs\\node.exe'],
  ['the first folder of PATH wins, then the first extension', 'server', 'C:\\Tools\\server.exe'],
  ['a name with its extension is searched as it is', 'node.exe', 'C:\\Program Files\\nodejs\\node.exe'],
  ['a path without an extension gets one', 'C:\\Tools\\server', 'C:\\Tools\\server.exe'],
  ['what is not found stays as it is, for the system to refuse', 'no-such-program', 'no-such-program'],
])('%s', (_title, command, file) => {
  expect(plan(command, ['-y', 'a b'])).toEqual({ file, args: ['-y', 'a b'], windowsVerbatimArguments: false })
})

test.each([
  ['npx', ['-y', '@scope/server'], String.raw`C:\Program^ Files\nodejs\npx.cmd -y @scope/server`],
  ['NPX.CMD', ['a'], String.raw`C:\Program^ Files\nodejs\NPX.CMD a`],
  ['D:\\bin\\server.cmd', ['a b'], String.raw`D:\bin\server.cmd ^^^"a^^^ b^^^"`],
  ['D:\\bin\\server.cmd', [''], String.raw`D:\bin\server.cmd ^^^"^^^"`],
  ['D:\\bin\\server.cmd', ['"&calc.exe'], String.raw`D:\bin\server.cmd ^^^"\^^^"^^^&calc.exe^^^"`],
  ['D:\\bin\\server.cmd', ['%PATH%'], String.raw`D:\bin\server.cmd %%cd:~,%PATH%%cd:~,%`],
  ['D:\\bin\\server.cmd', ['a\\ b\\'], String.raw`D:\bin\server.cmd ^^^"a\^^^ b\\^^^"`],
  ['D:\\bin\\100%PATH% & co\\run.bat', [], String.raw`D:\bin\100%%cd:~,%PATH%%cd:~,%^ ^&^ co\run.bat`],
])('the batch file %s with %j runs through the command interpreter [S4-28]', (command, args, line) => {
  const found = plan(command, args)
  expect(found.file).toBe('C:\\Windows\\System32\\cmd.exe')
  expect(found.args).toEqual(['/d', '/s', '/c', `"${line}"`])
  expect(found.windowsVerbatimArguments).toBe(true)
})

test('without a ComSpec the interpreter of the system folder is taken', () => {
  const { Path, PATHEXT } = env
  const found = windowsSpawnPlan('npx', [], { Path, PATHEXT, SystemRoot: 'C:\\WINNT' }, exists)
  expect(found.file).toBe('C:\\WINNT\\System32\\cmd.exe')
  expect(windowsSpawnPlan('npx', [], { path: Path }, exists).file).toBe('cmd.exe')
})

test('a line break, which would end the command, is refused for batch files only, without showing the argument', () => {
  expect(() => plan('npx', [`${canary('password')}\r\ncalc.exe`])).toThrow(
    /^cannot start "npx": it is a batch file/,
  )
  expect(() => plan('npx', [`${canary('password')}\n`])).toThrow(
    expect.not.stringContaining(canary('password')),
  )
  expect(plan('node', ['a\nb']).args).toEqual(['a\nb'])
})

test.each([
  ['"&calc.exe'],
  ['"& calc.exe &"'],
  ['\\"&calc.exe'],
  ['a"|calc.exe'],
  ['%CMDCMDLINE:~-1%&calc.exe'],
  ['^"&calc.exe'],
  ['^&calc.exe'],
  ['a b" && calc.exe'],
  ['>C:\\owned.txt'],
  ['!PATH!'],
  ['")&(calc.exe'],
])('%s reaches a batch file and the program behind it as one argument', (argument) => {
  expectArguments([argument])
})

test('whatever the arguments are, they arrive as they are and nothing else runs', () => {
  const dangerous = fc.constantFrom(
    '"',
    '\\',
    '^',
    '&',
    '|',
    '<',
    '>',
    '(',
    ')',
    '%',
    '!',
    ' ',
    ';',
    ',',
    '=',
    'a',
    '~',
  )
  const argument = fc.oneof(
    fc.string({ unit: dangerous }),
    fc.string().filter((text) => !/[\r\n\0]/.test(text)),
  )
  fc.assert(fc.property(fc.array(argument, { maxLength: 4 }), expectArguments), { numRuns: 1_000 })
})

/** Has the line read by the interpreter, and what is left of it once more, as the batch file does by `%*`. */
function expectArguments(args: readonly string[]): void {
  const line = plan('D:\\bin\\server.cmd', args).args[3]?.slice(1, -1) ?? ''
  const started = readLine(putVariablesInPlace(line))
  expect(started.slice(0, 17)).toBe('D:\\bin\\server.cmd')
  expect(argumentsOf(readLine(`server.exe${started.slice(17)}`)).slice(1)).toEqual(args)
}

function plan(command: string, args: readonly string[]): ReturnType<typeof windowsSpawnPlan> {
  return windowsSpawnPlan(command, args, env, exists)
}

/** Windows does not tell small letters from capitals. */
function exists(path: string): boolean {
  return files.some((file) => file.toLowerCase() === path.toLowerCase())
}
