/** Returns the name that a misspelled one is likely meant to be: it differs in case or separators, or in a letter or two. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  if (name.length > maxLength) return undefined
  const wanted = plain(name)
  const limit = wanted.length < 8 ? 1 : 2
  const near = names.flatMap((each) => {
    const known = plain(each)
    if (known[0] !== wanted[0] || Math.abs(known.length - wanted.length) > limit) return []
    const distance = distanceOf(wanted, known)
    const rank = distance + (known.length === wanted.length ? 0 : 0.5)
    return distance > limit ? [] : [{ each, rank }]
  })
  return near.toSorted((one, other) => one.rank - other.rank)[0]?.each
}

/** A fix that suggests the name that a misspelled one is likely meant to be, or undefined if there is none. */
export function suggestName(name: string, names: readonly string[]): string | undefined {
  const nearest = nearestName(name, names)
  return nearest === undefined ? undefined : `did you mean "${nearest}"?`
}

/** Comparing takes time by the product of both lengths, and nobody types a longer name. */
const maxLength = 200

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '')
}

/** The number of letters to insert, remove, replace or swap with their neighbour. */
function distanceOf(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, index) => index)]
  const at = (row: number, column: number): number => rows[row]?.[column] ?? row + column
  for (let row = 1; row <= one.length; row += 1) {
    rows.push([row])
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = at(row - 1, column - 1) + (one[row - 1] === other[column - 1] ? 0 : 1)
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      const swapped = row > 1 && column > 1 && isSwap ? at(row - 2, column - 2) + 1 : replaced
      rows[row]?.push(Math.min(replaced, swapped, at(row - 1, column) + 1, at(row, column - 1) + 1))
    }
  }
  return at(one.length, other.length)
}
