/**
 * Compiles a pattern in which `*` stands for any run of characters. `read` turns each literal stretch into the text it
 * stands for. Matching takes linear time, since names come from servers and patterns from people.
 */
export function compileGlob(pattern: string, read: (literal: string) => string): (text: string) => boolean {
  const literals = pattern.split('*').map(read)
  const first = literals[0] ?? ''
  const last = literals.at(-1) ?? ''
  if (literals.length === 1) return (text) => text === first
  const middle = literals.slice(1, -1)
  return (text) => {
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
      return false
    return holdsInOrder(text.slice(first.length, text.length - last.length), middle)
  }
}

function holdsInOrder(text: string, literals: readonly string[]): boolean {
  let from = 0
  for (const literal of literals) {
    const found = text.indexOf(literal, from)
    if (found === -1) return false
    from = found + literal.length
  }
  return true
}
