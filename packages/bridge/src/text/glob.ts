import { compileSearch, type Search } from './search.ts'

/**
 * Compiles a pattern in which `*` matches any characters. `read` decodes each literal part. Matching takes linear time,
 * because names come from servers and patterns from people.
 */
export function compileGlob(pattern: string, read: (literal: string) => string): (text: string) => boolean {
  return holding(pattern.split('*').map(read))
}

/** A part of a value pattern: literal text, `*` or `**`. */
type ValueStep = string | { readonly crosses: boolean }

/**
 * Compiles a pattern for the values of arguments: `**` matches any characters, `*` any but `/` and `\`, and `\` escapes
 * the next character. In a `loose` pattern `*` matches separators too, so that `rm *` matches `rm /etc/passwd`.
 */
export function compileValueGlob(pattern: string, { loose }: { readonly loose: boolean }): GlobTest {
  const steps = valueSteps(pattern)
  const isOpen = steps.every((step) => typeof step === 'string' || loose || step.crosses)
  if (isOpen) return holding(literalsOf(steps))
  const searches = new Map(
    steps.flatMap((step) => (typeof step === 'string' ? [[step, compileSearch(step)] as const] : [])),
  )
  return (text) => new Walk(text, searches).ends(steps)
}

export type GlobTest = (text: string) => boolean

function valueSteps(pattern: string): readonly ValueStep[] {
  const steps: ValueStep[] = []
  for (const [whole, escaped, stars] of pattern.matchAll(/\\([\s\S])|(\*+)|[^\\*]+|\\/g)) {
    const before = steps.at(-1)
    if (stars !== undefined) steps.push({ crosses: stars.length > 1 })
    else if (typeof before === 'string') steps[steps.length - 1] = before + (escaped ?? whole)
    else steps.push(escaped ?? whole)
  }
  return steps
}

function literalsOf(steps: readonly ValueStep[]): readonly string[] {
  const literals = ['']
  for (const step of steps) {
    if (typeof step === 'string') literals.push(`${literals.pop() ?? ''}${step}`)
    else literals.push('')
  }
  return literals
}

/** Matches texts that contain the literals in order, the first at the start and the last at the end. */
function holding(literals: readonly string[]): GlobTest {
  const first = literals[0] ?? ''
  const last = literals.at(-1) ?? ''
  if (literals.length === 1) return (text) => text === first
  const middle = literals.slice(1, -1).map((literal) => ({ literal, search: compileSearch(literal) }))
  return (text) => {
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
      return false
    return holdsInOrder(text.slice(first.length, text.length - last.length), middle)
  }
}

interface Literal {
  readonly literal: string
  readonly search: (text: string) => Search
}

function holdsInOrder(text: string, literals: readonly Literal[]): boolean {
  let from = 0
  for (const { literal, search } of literals) {
    const found = search(text)(from)
    if (found === -1) return false
    from = found + literal.length
  }
  return true
}

/**
 * Follows a pattern through a text. Of the places that are reached between two separators only the first counts, because `*`
 * leads from it to all others. So each step passes over the text once.
 */
class Walk {
  readonly #text: string
  readonly #searches: ReadonlyMap<string, (text: string) => Search>
  /** Ascending; between two of them is a separator. */
  #places: readonly number[] = [0]
  /** Between these two is no separator. */
  #from = Infinity
  #separator = -1

  constructor(text: string, searches: ReadonlyMap<string, (text: string) => Search>) {
    this.#text = text
    this.#searches = searches
  }

  #searchFor(literal: string): Search {
    return (this.#searches.get(literal) ?? compileSearch(literal))(this.#text)
  }

  /** Returns whether the whole text matches. */
  ends(steps: readonly ValueStep[]): boolean {
    let star: Star = 'none'
    for (const [index, step] of steps.entries()) {
      if (this.#places.length === 0) return false
      if (typeof step !== 'string') star = step.crosses ? 'any' : 'name'
      else {
        if (index === steps.length - 1) return this.#endsWith(step, star)
        this.#places = this.#after(step, star)
        star = 'none'
      }
    }
    return this.#endsWith('', star)
  }

  #endsWith(literal: string, star: Star): boolean {
    const place = this.#text.length - literal.length
    if (!this.#text.endsWith(literal)) return false
    if (star === 'none') return this.#places.includes(place)
    const [first = Infinity] = this.#places
    const nearest = this.#places.findLast((each) => each <= place) ?? Infinity
    return star === 'any' ? first <= place : nearest <= place && this.#separatorAfter(nearest) >= place
  }

  #after(literal: string, star: Star): readonly number[] {
    // Only the first step can be a literal without a star before it.
    if (star === 'none') return this.#text.startsWith(literal) ? [literal.length] : []
    return star === 'any' ? this.#anywhere(literal) : this.#inNames(literal)
  }

  /** After the first occurrence in the name at each place. */
  #inNames(literal: string): readonly number[] {
    const reached: number[] = []
    const search = this.#searchFor(literal)
    let found = -1
    for (const place of this.#places) {
      if (found < place) found = search(place)
      if (found === -1) break
      if (found <= this.#separatorAfter(place)) reached.push(found + literal.length)
    }
    return this.#withoutDominated(reached)
  }

  /** After the first occurrence in every name from the first place on. */
  #anywhere(literal: string): readonly number[] {
    const reached: number[] = []
    const search = this.#searchFor(literal)
    const [first = 0] = this.#places
    for (let found = search(first); found !== -1; ) {
      const end = found + literal.length
      reached.push(end)
      const next = Math.max(found + 1, this.#separatorAfter(end) + 1 - literal.length)
      found = search(next)
    }
    return this.#withoutDominated(reached)
  }

  #withoutDominated(places: readonly number[]): readonly number[] {
    let separator = -1
    return places.filter((place) => {
      if (place <= separator) return false
      separator = this.#separatorAfter(place)
      return true
    })
  }

  /** The index of the next separator, or the end of the text. */
  #separatorAfter(place: number): number {
    const text = this.#text
    if (place > this.#separator || place < this.#from) {
      this.#from = place
      let end = place
      while (end < text.length && !isSeparator(text.charCodeAt(end))) end += 1
      this.#separator = end
    }
    return this.#separator
  }
}

function isSeparator(code: number): boolean {
  return code === 0x2f || code === 0x5c
}

type Star = 'none' | 'name' | 'any'
