import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Script } from 'node:vm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { requireCached } from '../src/code-cache.ts'
import { temporaryFolder } from './transcript.ts'

const hash = 'a'.repeat(32)
const sourceSaying = (word: string): string => `(() => ({ said: '${word}' }))\n//${hash}`

let folder: ReturnType<typeof temporaryFolder>
let listeners: readonly NodeJS.ExitListener[]
beforeEach(() => {
  folder = temporaryFolder()
  listeners = process.listeners('exit')
  writeFileSync(join(folder.path, 'part.cjs'), sourceSaying('good'))
})
afterEach(() => {
  // They would store the compiled code.
  for (const listener of process.listeners('exit'))
    if (!listeners.includes(listener)) process.off('exit', listener)
  folder.remove()
})

/** What the file says, where this folder of the user has compiled code of another text of the same length. */
function said(xdgCacheHome: string, mode: number): unknown {
  const cache = join(folder.path, 'user', 'toolbridge', 'code-cache')
  mkdirSync(cache, { recursive: true })
  const planted = new Script(sourceSaying('evil'), { filename: join(folder.path, 'part.cjs') })
  planted.runInThisContext()()
  writeFileSync(join(cache, `${hash}-${process.version}-${process.arch}-tools`), planted.createCachedData())
  chmodSync(join(cache, '..'), mode)
  const env = { XDG_CACHE_HOME: xdgCacheHome }
  return requireCached<{ readonly said: string }>(join(folder.path, 'part.cjs'), 'tools', env).said
}

test('compiled code is taken from a folder that only the user can write to', () => {
  expect(said(join(folder.path, 'user'), 0o755)).toBe('evil')
})

// Windows has no such permissions of files.
test.skipIf(process.platform === 'win32').each([
  ['everybody', 0o777],
  ['its group', 0o775],
])('compiled code in a folder that %s can write to is not run', (_who, mode) => {
  expect(said(join(folder.path, 'user'), mode)).toBe('good')
})

test('a relative folder, which would be one of the current folder, is ignored', () => {
  expect(said(relative(process.cwd(), join(folder.path, 'user')), 0o755)).toBe('good')
})
