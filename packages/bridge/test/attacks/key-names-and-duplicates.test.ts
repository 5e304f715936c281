import { expect, test } from 'vitest'
import { bypassesOf, pointlessOf } from './attack.ts'
import { keyNamesAndDuplicates } from './programs/key-names-and-duplicates.ts'

test('no other name for an argument leads around a rule, alone or beside the usual name', async () => {
  expect(await bypassesOf(keyNamesAndDuplicates)).toEqual([])
})

test('without rules each of forty or more names of arguments reaches what it aims at', async () => {
  expect(new Set(keyNamesAndDuplicates.map(([mechanism]) => mechanism)).size).toBe(
    keyNamesAndDuplicates.length,
  )
  expect(keyNamesAndDuplicates.length).toBeGreaterThanOrEqual(40)
  expect(await pointlessOf(keyNamesAndDuplicates)).toEqual([])
})
