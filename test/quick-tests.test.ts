import { execFileSync, spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { readText, repositoryFiles } from './house/repository.ts'
import { takeStarted } from './setup/no-programs.ts'
import { isQuick } from './setup/quick.ts'

test('a quick test that starts a program fails, and is named', () => {
  expect(() => execFileSync(process.execPath, ['--version'])).toThrow('name it *.process.test.ts')
  expect(() => spawn(process.execPath, ['--version'])).toThrow('starts a program')
  expect(takeStarted()).toEqual([import.meta.filename, import.meta.filename])
})

test('no quick test loads a database or a browser', () => {
  const quick = repositoryFiles(/\.test\.tsx?$/).filter((file) => isQuick(`/${file}`))
  expect(quick.length).toBeGreaterThan(100)
  const heavy = /from '(?:@electric-sql\/pglite|@toolbridge\/(?:lockbox|testkit\/(?:databases|browser)))'/
  expect(quick.filter((file) => heavy.test(readText(file)))).toEqual([])
})
