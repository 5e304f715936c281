import { expect, test } from 'vitest'
import { bypassesOf, pointlessOf } from './attack.ts'
import { lengths } from './programs/lengths.ts'

test('no length of a value leads around a rule', async () => {
  expect(await bypassesOf(lengths)).toEqual([])
})

test('without rules each of forty or more long values reaches what it aims at', async () => {
  expect(new Set(lengths.map(([mechanism]) => mechanism)).size).toBe(lengths.length)
  expect(lengths.length).toBeGreaterThanOrEqual(40)
  expect(await pointlessOf(lengths)).toEqual([])
})
