import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { useFolder } from './folders.ts'
import { program } from './transcript.ts'

const folder = useFolder()

beforeEach(() => {
  copyFileSync(program, join(folder.path, 'main.cjs'))
})

/** Writes the file that the command loads, ended by a hash as the bundler does it. */
function write(word: string, hash: string): void {
  const code = `(() => ({ start: async () => console.log(${JSON.stringify(word)}) }))`
  writeFileSync(join(folder.path, 'standalone.cjs'), `${code}\n//${hash.repeat(32)}`)
}

function run(command = 'tools'): string {
  const env = { PATH: process.env['PATH'] ?? '', XDG_CACHE_HOME: join(folder.path, 'user') }
  return spawnSync(process.execPath, [join(folder.path, 'main.cjs'), command], { env }).stdout.toString()
}

const cached = (...path: readonly string[]): string => join(folder.path, ...path, 'code-cache')

test('the compiled code is stored beside the file and used until the file changes', () => {
  write('one', 'a')
  expect(run()).toBe('one\n')
  const [name = ''] = readdirSync(cached())
  expect(name).toBe(`${'a'.repeat(32)}-${process.version}-${process.arch}-tools`)
  // V8 compares only the length, so this text runs only if the stored code is used.
  write('two', 'a')
  expect(run()).toBe('one\n')
  write('two', 'b')
  expect(run()).toBe('two\n')
})

test('commands that should start fast have stored code of their own, the others share it', () => {
  write('one', 'a')
  for (const command of ['tools', 'call', 'doctor', 'grants']) expect(run(command)).toBe('one\n')
  const users = readdirSync(cached()).map((name) => name.split('-').at(-1))
  expect(new Set(users)).toEqual(new Set(['call', 'others', 'tools']))
})

test('stored code that V8 refuses is replaced', () => {
  write('one', 'a')
  run()
  const [name = ''] = readdirSync(cached())
  const file = join(cached(), name)
  const stored = readFileSync(file)
  writeFileSync(file, 'not compiled code')
  expect(run()).toBe('one\n')
  expect(readFileSync(file).length).toBe(stored.length)
})

test('where the folder of the file cannot be written, the folder of the user is used', () => {
  writeFileSync(cached(), 'a file, not a folder')
  write('one', 'a')
  expect(run()).toBe('one\n')
  expect(readdirSync(cached('user', 'toolbridge'))).toHaveLength(1)
  write('two', 'a')
  expect(run()).toBe('one\n')
})

test('code that cannot be put in place is stored once, in the folder of the user', () => {
  const name = `${'a'.repeat(32)}-${process.version}-${process.arch}-tools`
  mkdirSync(join(cached(), name), { recursive: true })
  write('one', 'a')
  expect(run()).toBe('one\n')
  expect(readdirSync(cached())).toEqual([name])
  expect(readdirSync(cached('user', 'toolbridge'))).toEqual([name])
})

test('code that other versions stored is removed when new code is stored, unless it is recent', () => {
  const other = (hash: string, node = process.version): string =>
    `${hash.repeat(32)}-${node}-${process.arch}-tools`
  const [old, oldNode, unfinished] = [other('c'), other('a', 'v18.0.0'), `${other('d')}.4711`]
  const [recent, sibling] = [other('e'), other('a').replace('tools', 'call')]
  mkdirSync(cached())
  for (const name of [old, oldNode, unfinished, sibling, recent, 'notes.txt']) {
    writeFileSync(join(cached(), name), '')
    if (name !== recent) utimesSync(join(cached(), name), 0, 0)
  }
  write('one', 'a')
  run()
  expect(readdirSync(cached()).toSorted()).toEqual([other('a'), sibling, recent, 'notes.txt'].toSorted())
})
