import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { printJson, type Terminal } from '../src/terminal.ts'

test('JSON has nothing that a terminal could obey, and the same value', () => {
  const stdout = new PassThrough()
  const value = { text: 'a\u009B31m\u202E\u061C\u200B\u2028\u{E0041}b' }
  printJson({ stdout } as unknown as Terminal, value, false)
  const written = String(stdout.read())
  expect(written).toMatch(/^[ -~]*\n$/)
  expect(JSON.parse(written)).toEqual(value)
})
