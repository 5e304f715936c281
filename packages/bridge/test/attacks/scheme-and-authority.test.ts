import { expect, test } from 'vitest'
import { bypassesOf, pointlessOf } from './attack.ts'
import { schemeAndAuthority } from './programs/scheme-and-authority.ts'

test('no spelling of a scheme or an authority leads around a rule', async () => {
  expect(await bypassesOf(schemeAndAuthority)).toEqual([])
})

test('without rules each of forty or more spellings of schemes and authorities reaches what it aims at', async () => {
  expect(new Set(schemeAndAuthority.map(([mechanism]) => mechanism)).size).toBe(schemeAndAuthority.length)
  expect(schemeAndAuthority.length).toBeGreaterThanOrEqual(40)
  expect(await pointlessOf(schemeAndAuthority)).toEqual([])
})
