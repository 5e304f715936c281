/** A range of a text; `end` is exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Length of the prefix that identifies a word; a match continues as long as the text equals the word. */
const keyLength = 24

/**
 * Finds many words in a text in one pass (Aho-Corasick), independent of the number of words. A truncated long word is
 * found as far as it goes.
 */
export class Matcher {
  readonly words: readonly string[]
  readonly #next = new Map<number, number>()
  readonly #parents: { readonly state: number; readonly code: number; readonly depth: number }[] = [
    { state: 0, code: 0, depth: 0 },
  ]
  /** The state of the longest suffix that is a prefix of a word. */
  readonly #fallback: number[] = [0]
  /** Length of the longest key that ends here; 0 for none. */
  readonly #found: number[] = [0]
  /** The words longer than their keys, by the final state of the key. */
  readonly #longer = new Map<number, string[]>()

  constructor(words: readonly string[]) {
    this.words = words
    for (const word of words) this.#add(word)
    this.#link()
  }

  /** The matches, in order and merged. */
  find(text: string): readonly Span[] {
    const spans: Span[] = []
    let state = 0
    for (let index = 0; index < text.length; index += 1) {
      state = this.#step(state, text.charCodeAt(index))
      const length = this.#found[state] ?? 0
      if (length > 0) push(spans, this.#spanOf(text, state, index + 1 - length, index + 1, spans.at(-1)))
    }
    return spans
  }

  /** Does not extend matches inside an earlier one: repetitive words would take quadratic time. */
  #spanOf(text: string, state: number, start: number, end: number, last: Span | undefined): Span {
    const longer = this.#longer.get(state)
    if (longer === undefined || (last !== undefined && start < last.end)) return { start, end }
    return { start, end: Math.max(...longer.map((word) => start + commonLength(text, start, word))) }
  }

  #step(from: number, code: number): number {
    let state = from
    for (;;) {
      const next = this.#next.get(edge(state, code))
      if (next !== undefined) return next
      if (state === 0) return 0
      state = this.#fallback[state] ?? 0
    }
  }

  #add(word: string): void {
    const key = word.slice(0, keyLength)
    let state = 0
    for (let index = 0; index < key.length; index += 1) {
      const code = key.charCodeAt(index)
      const next = this.#next.get(edge(state, code)) ?? this.#grow(state, code, index + 1)
      state = next
    }
    this.#found[state] = key.length
    if (word.length > keyLength) this.#longer.set(state, [...(this.#longer.get(state) ?? []), word])
  }

  #grow(state: number, code: number, depth: number): number {
    const grown = this.#parents.length
    this.#next.set(edge(state, code), grown)
    this.#parents.push({ state, code, depth })
    this.#fallback.push(0)
    this.#found.push(0)
    return grown
  }

  /** Links shorter prefixes first: longer ones fall back to them. */
  #link(): void {
    const states = this.#parents.map((_parent, state) => state).slice(1)
    const depthOf = (state: number): number => this.#parents[state]?.depth ?? 0
    for (const state of states.toSorted((a, b) => depthOf(a) - depthOf(b))) {
      const { state: parent = 0, code = 0, depth = 0 } = this.#parents[state] ?? {}
      const fallback = depth === 1 ? 0 : this.#step(this.#fallback[parent] ?? 0, code)
      this.#fallback[state] = fallback
      this.#found[state] ||= this.#found[fallback] ?? 0
    }
  }
}

function edge(state: number, code: number): number {
  return state * 65_536 + code
}

function commonLength(text: string, start: number, word: string): number {
  let length = keyLength
  while (length < word.length && text.charCodeAt(start + length) === word.charCodeAt(length)) length += 1
  return length
}

/** Appends a span and merges it with those that it touches. */
function push(spans: Span[], { start, end }: Span): void {
  let merged = { start, end }
  for (let last = spans.at(-1); last !== undefined && last.end >= merged.start; last = spans.at(-1)) {
    merged = { start: Math.min(last.start, merged.start), end: Math.max(last.end, merged.end) }
    spans.pop()
  }
  spans.push(merged)
}

/** Merges several lists of spans. */
export function mergeSpans(lists: readonly (readonly Span[])[]): readonly Span[] {
  const merged: Span[] = []
  for (const span of lists.flat().toSorted((a, b) => a.start - b.start)) push(merged, span)
  return merged
}
