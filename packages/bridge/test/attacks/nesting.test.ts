import { expect, test } from 'vitest'
import { bypassesOf, pointlessOf } from './attack.ts'
import { nesting } from './programs/nesting.ts'

test('no depth at which a value is nested leads around a rule', async () => {
  expect(await bypassesOf(nesting)).toEqual([])
})

test('without rules each of forty or more nested values reaches what it aims at', async () => {
  expect(new Set(nesting.map(([mechanism]) => mechanism)).size).toBe(nesting.length)
  expect(nesting.length).toBeGreaterThanOrEqual(40)
  expect(await pointlessOf(nesting)).toEqual([])
})
