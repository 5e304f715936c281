import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileSearch } from '../../src/text/search.ts'

const repetitive = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'a', 'a', 'b', '/'), maxLength })

test('long literals are found where they occur, also where occurrences overlap', () => {
  fc.assert(
    fc.property(
      fc.tuple(repetitive(6), repetitive(6), repetitive(40)),
      fc.array(fc.nat(60), { maxLength: 8 }),
      ([unit, end, between], steps) => {
        const literal = unit.repeat(40) + end
        const text = unit.repeat(70) + between + literal + unit.repeat(50) + end
        const search = compileSearch(literal)(text)
        let from = 0
        for (const step of steps) {
          const found = search(from)
          expect(found).toBe(text.indexOf(literal, from))
          if (found === -1) return
          from = found + step
        }
      },
    ),
  )
})
