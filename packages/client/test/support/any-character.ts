import fc from 'fast-check'

const SURROGATES = { first: 0xd800, count: 0x800 }

/**
 * The same characters as `unit: 'binary'` of fast-check, in the same order: every code point except surrogates. fast-check
 * first builds a map of all of them, which takes a second.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat(0x10_ffff - SURROGATES.count)
  .map(characterAt, positionOf)

function characterAt(position: number): string {
  return String.fromCodePoint(position < SURROGATES.first ? position : position + SURROGATES.count)
}

/** Throws for other values, as fast-check expects. */
function positionOf(value: unknown): number {
  const codePoint = typeof value === 'string' ? (value.codePointAt(0) ?? 0) : 0
  const position = codePoint < SURROGATES.first ? codePoint : codePoint - SURROGATES.count
  if (characterAt(position) !== value) throw new Error('not a character')
  return position
}
