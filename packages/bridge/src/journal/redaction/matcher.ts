/** Where something is in a text: from the first character to the one after the last. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** How much of a word decides: past it, whatever goes on like the word belongs to it. */
const keyLength = 24

/**
 * Finds many words in a text in one pass over it (Aho and Corasick), so that the time does not depend on how many
 * words there are. A long word that breaks off past its first characters is found as far as it goes.
 */
export class Matcher {
  readonly words: readonly string[]
  readonly #next = new Map<number, number>()
  readonly #parents: { readonly state: number; readonly code: number; readonly depth: number }[] = [
    { state: 0, code: 0, depth: 0 },
  ]
  /** Where the longest end of what was read goes on that begins a word. */
  readonly #fallback: number[] = [0]
  /** How long the longest key is that ends here, 0 for none. */
  readonly #found: number[] = [0]
  /** The words that are longer than their keys, by the state in which their keys end. */
  readonly #longer = new Map<number, string[]>()

  constructor(words: readonly string[]) {
    this.words = words
    for (const word of words) this.#add(word)
    this.#link()
  }

  /** Where the words are: in order, and none touching another. */
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

  /** Inside of what is found already nothing is followed further: else a word that repeats itself would take long. */
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

  /** Shorter beginnings first: longer ones fall back to them. */
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

/** Puts a span behind those that end before it does, together with those that it touches. */
function push(spans: Span[], { start, end }: Span): void {
  let merged = { start, end }
  for (let last = spans.at(-1); last !== undefined && last.end >= merged.start; last = spans.at(-1)) {
    merged = { start: Math.min(last.start, merged.start), end: Math.max(last.end, merged.end) }
    spans.pop()
  }
  spans.push(merged)
}

/** All spans of several lists: in order, and none touching another. */
export function mergeSpans(lists: readonly (readonly Span[])[]): readonly Span[] {
  const merged: Span[] = []
  for (const span of lists.flat().toSorted((a, b) => a.start - b.start)) push(merged, span)
  return merged
}
