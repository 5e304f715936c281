/** Finds the first occurrence from a place on, or -1. The places must ascend: all searches of a text together are one pass over it. */
export type Search = (from: number) => number

/** Compiles the search for a literal. `indexOf` passes over a text once for each character of a long literal that repeats itself. */
export function compileSearch(literal: string): (text: string) => Search {
  if (literal.length <= maxShort) return (text) => (from) => text.indexOf(literal, from)
  let borders: Uint32Array | undefined
  return (text) => {
    borders ??= bordersOf(literal)
    return searchWith(borders, literal, text)
  }
}

const maxShort = 64

/** For each beginning of a literal, how long its longest other beginning is that it also ends with. */
function bordersOf(literal: string): Uint32Array {
  const borders = new Uint32Array(literal.length)
  let length = 0
  for (let index = 1; index < literal.length; index += 1) {
    while (length > 0 && literal[index] !== literal[length]) length = borders[length - 1] ?? 0
    if (literal[index] === literal[length]) length += 1
    borders[index] = length
  }
  return borders
}

/** Never goes back in the text: what matched so far ends with the beginning of the next occurrence. */
function searchWith(borders: Uint32Array, literal: string, text: string): Search {
  let [index, length, found] = [0, 0, -1]
  return (from) => {
    if (found >= from) return found
    if (from > index) [index, length] = [from, 0]
    for (; index < text.length; index += 1) {
      const unit = text.charCodeAt(index)
      while (length > 0 && literal.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0
      if (literal.charCodeAt(length) === unit) length += 1
      if (length < literal.length) continue
      length = borders[length - 1] ?? 0
      const start = index + 1 - literal.length
      if (start < from) continue
      index += 1
      found = start
      return found
    }
    return -1
  }
}
