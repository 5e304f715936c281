import type { Element } from './repetitions.ts'

/**
 * The same elements with what they demand of the character before them as a character that they read. So `\b` in `\bfoo`
 * reads one that belongs to no word. Conditions further behind are left out, and with them the texts that they exclude.
 */
export function consuming(elements: readonly Element[]): readonly Element[] {
  const [first, ...rest] = elements
  if (first === undefined) return []
  if (first.type === 'Alternation') {
    const alternatives = first.alternatives.map((each) => ({
      ...each,
      elements: [...consuming(each.elements)],
    }))
    return [{ ...first, alternatives }, ...rest]
  }
  if (first.type !== 'Assertion') return elements
  return first.kind === 'behind' ? [previousCharacter(first), ...rest] : consuming(rest)
}

function previousCharacter(assertion: Extract<Element, { type: 'Assertion' }>): Element {
  const nothing: Element = { type: 'Alternation', alternatives: [{ type: 'Concatenation', elements: [] }] }
  if (!assertion.negate) {
    const alternatives = assertion.alternatives.map((each) => ({
      ...each,
      elements: [...consuming(each.elements)],
    }))
    return { type: 'Alternation', alternatives }
  }
  const excluded = assertion.alternatives.map(({ elements: [only, ...others] }) =>
    only?.type === 'CharacterClass' && others.length === 0 ? only.characters : undefined,
  )
  const sets = excluded.filter((set) => set !== undefined)
  const [set, ...more] = sets
  if (set === undefined || sets.length < excluded.length) return nothing
  return { type: 'CharacterClass', characters: set.union(...more).negate() }
}
