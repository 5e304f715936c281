import { expect, test } from 'vitest'
import { bypassesOf, pointlessOf } from './attack.ts'
import { pathForms } from './programs/path-forms.ts'

test('no form of a path leads around a rule', async () => {
  expect(await bypassesOf(pathForms)).toEqual([])
})

test('without rules each of forty or more forms of paths reaches what it aims at', async () => {
  expect(new Set(pathForms.map(([mechanism]) => mechanism)).size).toBe(pathForms.length)
  expect(pathForms.length).toBeGreaterThanOrEqual(40)
  expect(await pointlessOf(pathForms)).toEqual([])
})
