import { expect, test } from 'vitest'
import { isWhole, numberOption } from '../src/number-option.ts'

const read = (text: string | undefined): number | undefined =>
  numberOption({ size: text }, 'size', 'a whole number from 0 to 9', isWhole(0, 9))

test('a number is read, and an option that is not given has none', () => {
  expect(['0', '9', '007'].map(read)).toEqual([0, 9, 7])
  expect(read(undefined)).toBeUndefined()
  expect(numberOption({ size: '.5' }, 'size', 'a number', () => true)).toBe(0.5)
})

test.each(['', ' ', '10', '-1', '1.5', '1e0', '0x1', '1.', 'one', 'Infinity'])(
  '%j is refused with what is expected',
  (text) => {
    expect(() => read(text)).toThrow(`invalid --size "${text}": expected a whole number from 0 to 9`)
  },
)
