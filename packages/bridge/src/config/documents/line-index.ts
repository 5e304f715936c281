/** Finds the line and column of an offset, starting at 1, in logarithmic time. */
export class LineIndex {
  readonly #starts: readonly number[]

  constructor(text: string) {
    const starts = [0]
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
    this.#starts = starts
  }

  at(offset: number): { readonly line: number; readonly column: number } {
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 }
  }
}
