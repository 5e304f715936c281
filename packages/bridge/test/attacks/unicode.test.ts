import { expect, test } from 'vitest'
import { bypassesOf, pointlessOf } from './attack.ts'
import { unicode } from './programs/unicode.ts'

test('no other form of a character leads around a rule', async () => {
  expect(await bypassesOf(unicode)).toEqual([])
})

test('without rules each of forty or more forms of characters reaches what it aims at', async () => {
  expect(new Set(unicode.map(([mechanism]) => mechanism)).size).toBe(unicode.length)
  expect(unicode.length).toBeGreaterThanOrEqual(40)
  expect(await pointlessOf(unicode)).toEqual([])
})
