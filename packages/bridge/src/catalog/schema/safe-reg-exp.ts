/** The part of a regular expression that schemas need. */
export interface Matcher {
  test(text: string): boolean
}

const everything: Matcher = { test: () => true }
const maxPattern = 1_000
/** About how many steps a match may take. */
const maxSteps = 10_000_000

/**
 * A pattern of a server, which must not be able to hang its host: one that is no pattern, or that could take a time
 * beyond all measure (something repeated inside something repeated), matches everything, and so does a very long text.
 */
export function safeRegExp(pattern: string): Matcher {
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
      // Servers also write patterns that are only valid without the Unicode flag.
    }
  return undefined
}

/** Whether a group that is repeated holds a choice or another repetition, or a group is referred back to. */
function canExplode(pattern: string): boolean {
  const plain = withoutEscapes(pattern)
  return /\\[1-9k]/.test(plain) || repeatedGroups(plain).some((group) => /[*+|?]|\{\d/.test(group))
}

/** Each repetition of open length multiplies the time of a match by the length of the text. */
function repetitionsIn(plain: string): number {
  return plain.match(/[*+]|\{\d*,\d*\}/g)?.length ?? 0
}

function withoutEscapes(pattern: string): string {
  return pattern.replaceAll(/\\[^1-9k]/g, 'x').replaceAll(/\[[^\]]*\]/g, 'x')
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
