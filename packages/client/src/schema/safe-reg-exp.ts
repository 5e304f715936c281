/** The part of `RegExp` that schemas need. */
export interface Matcher {
  test(text: string): boolean
}

const everything: Matcher = { test: () => true }
const maxPattern = 1_000
/** Approximate maximum number of steps of a match. */
const maxSteps = 10_000_000

/**
 * Compiles an untrusted pattern safely. An invalid pattern, one with possible catastrophic backtracking (nested
 * repetition), or a very long text matches everything.
 */
export function safeRegExp(pattern: string): Matcher {
  const matcher = known.get(pattern) ?? matcherOf(pattern)
  if (known.size === maxKnown) known.clear()
  known.set(pattern, matcher)
  return matcher
}

/** Of the patterns that were used last: a schema applies one to each of many values. */
const known = new Map<string, Matcher>()
const maxKnown = 100

function matcherOf(pattern: string): Matcher {
  if (pattern.length > maxPattern || canExplode(pattern)) return everything
  const compiled = compiledPattern(pattern)
  if (compiled === undefined) return everything
  const maxText = Math.floor(maxSteps ** (1 / (repetitionsIn(withoutEscapes(pattern)) + 1)))
  return { test: (text) => text.length > maxText || compiled.test(text) }
}

function compiledPattern(pattern: string): RegExp | undefined {
  for (const flags of ['u', ''])
    try {
      return new RegExp(pattern, flags)
    } catch {
      // Some patterns are only valid without the Unicode flag.
    }
  return undefined
}

/** Returns whether a repeated group contains a choice or repetition, or there is a backreference. */
function canExplode(pattern: string): boolean {
  const plain = withoutEscapes(pattern)
  return /\\[1-9k]/.test(plain) || repeatedGroups(plain).some((group) => /[*+|?]|\{\d/.test(group))
}

/** Each unbounded repetition multiplies the time of a match by the length of the text. */
function repetitionsIn(plain: string): number {
  return plain.match(/[*+]|\{\d*,\d*\}/g)?.length ?? 0
}

function withoutEscapes(pattern: string): string {
  return pattern.replaceAll(/\\[^1-9k]/g, 'x').replaceAll(/\[[^\]]*\]?/g, 'x')
}

function repeatedGroups(pattern: string): readonly string[] {
  const starts: number[] = []
  const groups: string[] = []
  for (let at = 0; at < pattern.length; at += 1) {
    if (pattern[at] === '(') starts.push(at + (pattern[at + 1] === '?' ? 2 : 0))
    if (pattern[at] !== ')') continue
    const start = starts.pop()
    if (start !== undefined && /^[*+{]/.test(pattern.slice(at + 1))) groups.push(pattern.slice(start + 1, at))
  }
  return groups
}
