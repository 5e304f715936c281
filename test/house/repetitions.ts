import { CharSet, getIntersectionWords, JS, NFA, type NoParent, Transformers, transform } from 'refa'
import type * as refa from 'refa'
import { consuming } from './look-around.ts'

export type Element = NoParent<refa.Element>
export type Alternatives = readonly NoParent<refa.Concatenation>[]
type Loop = NoParent<refa.Quantifier>

/** A repetition that was read, and what the expression reads between it and the current place. */
interface Passed {
  readonly loop: Loop
  readonly between: readonly Element[]
}

/** A repetition that can be longer is as slow as one without an end. */
const manyTimes = 100

/**
 * A word that makes a regular expression take more than linear time when it is repeated. The text can be divided between two
 * repetitions at each of these words, and every division is tried if the rest does not match. The first repetition may be the
 * search for the place where the match begins, also under the flag `y`: its users try one place after the other.
 */
export function slowWord(literal: { readonly source: string; readonly flags: string }): string | undefined {
  const parsed = JS.Parser.fromLiteral(literal).parse({ backreferences: 'throw' })
  // Conditions such as `\b` are left out where they are not joined with the characters beside them.
  const joined = (): NoParent<refa.Expression> => transform(Transformers.applyAssertions(), parsed.expression)
  return slowWordIn(parsed.expression, parsed) && slowWordIn(joined(), parsed)
}

function slowWordIn(
  { alternatives }: NoParent<refa.Expression>,
  { maxCharacter }: { readonly maxCharacter: number },
): string | undefined {
  const anything: Element = { type: 'CharacterClass', characters: CharSet.all(maxCharacter) }
  const search = starred([{ type: 'Concatenation', elements: [anything] }])
  const walk = new Walk(maxCharacter)
  walk.alternatives(alternatives, [{ loop: search, between: [] }], [])
  return walk.words[0]
}

/** Visits every way through an expression, with the repetitions that were passed on the way. */
class Walk {
  readonly words: string[] = []
  readonly #maxCharacter: number

  constructor(maxCharacter: number) {
    this.#maxCharacter = maxCharacter
  }

  /** Returns the repetitions inside. `rest` is what follows. */
  alternatives(
    alternatives: Alternatives,
    passed: readonly Passed[],
    rest: readonly Element[],
  ): readonly Passed[] {
    return alternatives.flatMap(({ elements }) => {
      let inside: readonly Passed[] = []
      let outside = passed
      for (const [index, element] of elements.entries()) {
        const added = this.#element(element, [...outside, ...inside], [...elements.slice(index + 1), ...rest])
        outside = outside.map((each) => behind(each, element))
        inside = [...inside.map((each) => behind(each, element)), ...added]
      }
      return inside
    })
  }

  #element(element: Element, passed: readonly Passed[], rest: readonly Element[]): readonly Passed[] {
    switch (element.type) {
      case 'CharacterClass':
      case 'Unknown':
        return []
      case 'Alternation':
        return this.alternatives(element.alternatives, passed, rest)
      case 'Assertion':
        this.alternatives(element.alternatives, passed, [element])
        return []
      case 'Quantifier':
        return element.max <= 1
          ? this.alternatives(element.alternatives, passed, rest)
          : this.#repetition(element, passed, rest)
    }
  }

  #repetition(loop: Loop, passed: readonly Passed[], rest: readonly Element[]): readonly Passed[] {
    const again = starred(loop.alternatives)
    const own = loop.max > manyTimes ? [{ loop: again, between: [] }] : []
    for (const each of own.length === 0 ? [] : passed) this.#compare(each, again, rest)
    const before = [...passed.map((each) => behind(each, again)), ...own]
    const inside = this.alternatives(loop.alternatives, before, [again, ...rest]).map((each) =>
      behind(each, again),
    )
    if (own.length > 0) for (const each of inside) this.#compare(each, again, rest)
    this.alternatives(loop.alternatives, inside, [again, ...rest])
    return [...own, ...inside]
  }

  #compare({ loop, between }: Passed, second: Loop, rest: readonly Element[]): void {
    if (rest.every(matchesNothing)) return
    const both = NFA.fromIntersection(this.#language([loop]), this.#language([second]))
    const divided = this.#language([loop, ...consuming(between), second])
    for (const word of getIntersectionWords(both, divided)) {
      if (word.length === 0) continue
      this.words.push(String.fromCodePoint(...word))
      return
    }
  }

  #language(elements: readonly Element[]): NFA {
    const options = { maxCharacter: this.#maxCharacter }
    return NFA.fromRegex({ type: 'Concatenation', elements: [...elements] }, options, {
      assertions: 'ignore',
      unknowns: 'disable',
    })
  }
}

function behind({ loop, between }: Passed, element: Element): Passed {
  return { loop, between: [...between, element] }
}

function starred(alternatives: Alternatives): Loop {
  return { type: 'Quantifier', min: 0, max: Infinity, lazy: false, alternatives: [...alternatives] }
}

/** Whether an element can match where there is nothing more to read, so that what was read before is not tried again. */
function matchesNothing(element: Element): boolean {
  switch (element.type) {
    case 'CharacterClass':
    case 'Unknown':
    case 'Assertion':
      return false
    case 'Alternation':
      return element.alternatives.some((each) => each.elements.every(matchesNothing))
    case 'Quantifier':
      return element.min === 0 || element.alternatives.some((each) => each.elements.every(matchesNothing))
  }
}
