import { expect, test } from 'vitest'
import { nearestName } from '../../src/text/nearest-name.ts'
import { oneLine, textBefore, withoutEnding } from '../../src/text/parts.ts'

test('a name that nobody would type is compared with no other', () => {
  const name = 'a'.repeat(200)
  expect(nearestName(name, [`${name.slice(1)}b`])).toBe(`${name.slice(1)}b`)
  expect(nearestName(`${name}a`, [`${name}b`])).toBeUndefined()
})

test('each character at the end is removed, and none before it', () => {
  expect(withoutEnding('/a//b/-/', '/-')).toBe('/a//b')
  expect(withoutEnding('///', '/')).toBe('')
  expect(withoutEnding('', '/')).toBe('')
})

test('a text without the sign is all before it', () => {
  expect(textBefore('a?b?c', '?')).toBe('a')
  expect(textBefore('abc', '?')).toBe('abc')
})

test('lines become one, without blank ones', () => {
  expect(oneLine(' one \r\n\n \t\n two\nthree\n')).toBe('one two three')
})
