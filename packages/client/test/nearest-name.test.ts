import { expect, test } from 'vitest'
import { nearestName } from '../src/text/nearest-name.ts'

test('a name of more than 200 characters is not compared', () => {
  const name = 'a'.repeat(200)
  expect(nearestName(name, [`${name}b`])).toBe(`${name}b`)
  expect(nearestName(`${name}a`, [`${name}b`])).toBeUndefined()
})
