import { expect, test } from 'vitest'
import { MessageLines } from '../../src/agent/chat/message-lines.ts'

/** The messages that these lines complete. */
function messages(...typed: readonly string[]): readonly string[] {
  const lines = new MessageLines()
  return typed.flatMap((line) => lines.add(line) ?? [])
}

test.each([
  ['a line is a message', ['one', 'two'], ['one', 'two']],
  ['a line that ends in a backslash continues', ['one\\', 'two\\', 'three'], ['one\ntwo\nthree']],
  ['a block is one message, with its indentation', ['"""', '  one', '', 'two\\', '"""'], ['  one\n\ntwo\\']],
  ['a block may follow a continued line', ['Look:\\', '"""', 'one', ' """ '], ['Look:\none']],
  ['an empty line is an empty message', ['', 'one'], ['', 'one']],
  ['a message that is not complete is none', ['"""', 'one'], []],
])('%s', (_, typed, expected) => {
  expect(messages(...typed)).toEqual(expected)
})

test('pasted lines wait for a line that is typed, and nothing in them has a meaning', () => {
  const lines = new MessageLines()
  expect(lines.isEmpty).toBe(true)
  for (const line of ['"""', 'one\\', '/exit']) lines.addPasted(line)
  expect(lines.isEmpty).toBe(false)
  expect(lines.add('')).toBe('"""\none\\\n/exit')
  expect(lines.isEmpty).toBe(true)
})

test('what was begun can be taken, and is forgotten then', () => {
  const lines = new MessageLines()
  lines.add('"""')
  lines.add('one')
  expect(lines.take()).toBe('one')
  expect(lines.add('two')).toBe('two')
})
