/** What one argument of a call must be: a text to match, or a value to equal. */
export type Condition =
  | { readonly kind: 'glob'; readonly glob: string }
  | { readonly kind: 'equals'; readonly value: unknown }

/** A condition on what stands at a place in the arguments; several mean that one of them holds. */
export interface ArgumentPattern {
  readonly path: readonly string[]
  readonly conditions: readonly Condition[]
}

export type ParsedArguments =
  | { readonly arguments: readonly ArgumentPattern[] }
  | { readonly problem: string }

/**
 * Reads `path=/etc/**, mode=w`: each value is a glob, or JSON text in quotes that must be equal. A `\` in a glob takes the
 * next character as it is, which also lets it hold a comma or a parenthesis.
 */
export function parseArguments(text: string): ParsedArguments {
  const found: ArgumentPattern[] = []
  for (const part of separated(text)) {
    const [, key, value] = /^\s*([^=\s][^=]*?)\s*=\s*([\s\S]*?)\s*$/.exec(part) ?? []
    if (key === undefined || value === undefined || value === '')
      return { problem: `has a condition that is not <argument>=<value>: (${part.trim()})` }
    const condition = conditionOf(value)
    if (condition === undefined) return { problem: `has a value in quotes that is no JSON text: ${value}` }
    if (condition.kind === 'glob' && hasWindowsSeparators(value))
      return { problem: `has a "\\" where "/" is to stand, also for Windows: ${value}` }
    found.push({ path: argumentPath(key), conditions: [condition] })
  }
  return { arguments: found }
}

/**
 * Whether a glob is a path with the slashes of Windows. It would mean something else, since a `\` takes away what the next
 * character means, and no letter means anything that could be taken away.
 */
export function hasWindowsSeparators(glob: string): boolean {
  return (
    /^[A-Za-z]:\\/.test(glob) ||
    [...glob.matchAll(/\\([\s\S])/g)].some(([, next = '']) => /[\p{L}\p{N}]/u.test(next))
  )
}

/** Splits at commas that are neither in quotes nor behind a `\`. */
function separated(text: string): readonly string[] {
  const pieces = text.match(/"(?:\\[\s\S]|[^"\\])*"|\\[\s\S]|,|[^",\\]+|["\\]/g) ?? []
  const parts = ['']
  for (const piece of pieces) {
    if (piece === ',') parts.push('')
    else parts.push(`${parts.pop() ?? ''}${piece}`)
  }
  return parts
}

function conditionOf(value: string): Condition | undefined {
  if (!value.startsWith('"')) return { kind: 'glob', glob: value }
  try {
    const parsed: unknown = JSON.parse(value)
    return typeof parsed === 'string' ? { kind: 'equals', value: parsed } : undefined
  } catch {
    return undefined
  }
}

/** The steps of a JSON pointer (`/options/file`) or of names with dots between them (`options.file`). */
export function argumentPath(key: string): readonly string[] {
  if (!key.startsWith('/')) return key.split('.')
  return key
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}
