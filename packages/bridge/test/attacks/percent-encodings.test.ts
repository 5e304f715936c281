import { expect, test } from 'vitest'
import { bypassesOf, pointlessOf } from './attack.ts'
import { percentEncodings } from './programs/percent-encodings.ts'

test('no percent-encoding leads around a rule, be it broken or repeated', async () => {
  expect(await bypassesOf(percentEncodings)).toEqual([])
})

test('without rules each of forty or more percent-encodings reaches what it aims at', async () => {
  expect(new Set(percentEncodings.map(([mechanism]) => mechanism)).size).toBe(percentEncodings.length)
  expect(percentEncodings.length).toBeGreaterThanOrEqual(40)
  expect(await pointlessOf(percentEncodings)).toEqual([])
})
