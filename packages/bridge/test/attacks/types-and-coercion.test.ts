import { expect, test } from 'vitest'
import { bypassesOf, pointlessOf } from './attack.ts'
import { typesAndCoercion } from './programs/types-and-coercion.ts'

test('no value that a server coerces to a denied one leads around a rule', async () => {
  expect(await bypassesOf(typesAndCoercion)).toEqual([])
})

test('without rules each of forty or more values of other types reaches what it aims at', async () => {
  expect(new Set(typesAndCoercion.map(([mechanism]) => mechanism)).size).toBe(typesAndCoercion.length)
  expect(typesAndCoercion.length).toBeGreaterThanOrEqual(40)
  expect(await pointlessOf(typesAndCoercion)).toEqual([])
})
