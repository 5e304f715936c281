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
  return isOpen ? holding(literalsOf(steps)) : (text) => walks(steps, text)
}

export type GlobTest = (text: string) => boolean

function valueSteps(pattern: string): readonly ValueStep[] {
  return [...pattern.matchAll(/\\([\s\S])|(\*+)|[^\\*]+|\\/g)].map(([whole, escaped, stars]) => {
    if (stars !== undefined) return { crosses: stars.length > 1 }
    return escaped ?? whole
  })
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

/** Tracks all reachable positions, so that the time is bounded by the length of text times pattern. */
function walks(steps: readonly ValueStep[], text: string): boolean {
  let reached = new Set([0])
  for (const step of steps) {
    reached = typeof step === 'string' ? afterLiteral(step, text, reached) : afterStar(step, text, reached)
    if (reached.size === 0) return false
  }
  return reached.has(text.length)
}

function afterLiteral(literal: string, text: string, from: ReadonlySet<number>): Set<number> {
  const places = [...from].filter((place) => text.startsWith(literal, place))
  return new Set(places.map((place) => place + literal.length))
}

function afterStar({ crosses }: { readonly crosses: boolean }, text: string, from: ReadonlySet<number>) {
  const reached = new Set<number>()
  for (const start of from) {
    for (let place = start; place <= text.length && !reached.has(place); place += 1) {
      reached.add(place)
      if (!crosses && (text[place] === '/' || text[place] === '\\')) break
    }
  }
  return reached
}
