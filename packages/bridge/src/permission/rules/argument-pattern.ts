import { pointerSteps } from '@toolbridge/client/internal'

/** A condition on an argument: a glob to match or a value to equal. */
export type Condition =
  | { readonly kind: 'glob'; readonly glob: string }
  | { readonly kind: 'equals'; readonly value: unknown }

/** Conditions on the value at a path in the arguments; one of them must hold. */
export interface ArgumentPattern {
  readonly path: readonly string[]
  readonly conditions: readonly Condition[]
}

export type ParsedArguments =
  | { readonly arguments: readonly ArgumentPattern[] }
  | { readonly problem: string }

/**
 * Parses `path=/etc/**, mode=w`. Each value is a glob, or a JSON string that must be equal. A `\` in a glob escapes the
 * next character, also a comma or a parenthesis.
 */
export function parseArguments(text: string): ParsedArguments {
  const found: ArgumentPattern[] = []
  for (const part of separated(text)) {
    const equals = part.indexOf('=')
    const [key, value] = [part.slice(0, Math.max(equals, 0)).trim(), part.slice(equals + 1).trim()]
    if (key === '' || value === '')
      return { problem: `has a condition that is not <argument>=<value>: (${part.trim()})` }
    const condition = conditionOf(value)
    if (condition === undefined) return { problem: `has a quoted value that is not a JSON string: ${value}` }
    if (condition.kind === 'glob' && hasWindowsSeparators(value))
      return { problem: `has a "\\" as separator; use "/", also for Windows: ${value}` }
    found.push({ path: argumentPath(key), conditions: [condition] })
  }
  return { arguments: found }
}

/**
 * Returns whether a glob is a path with the separators of Windows. A `\` is the escape character of globs, and no letter
 * needs one.
 */
export function hasWindowsSeparators(glob: string): boolean {
  return (
    /^[A-Za-z]:\\/.test(glob) ||
    [...glob.matchAll(/\\([\s\S])/g)].some(([, next = '']) => /[\p{L}\p{N}]/u.test(next))
  )
}

/** Splits at commas that are neither quoted nor escaped. */
function separated(text: string): readonly string[] {
  const commas: number[] = []
  /** Those behind a quote that may have no end: then they count. */
  let quoted: number[] | undefined
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (character === '\\') index += 1
    else if (character === '"') quoted = quoted === undefined ? [] : undefined
    else if (character === ',') (quoted ?? commas).push(index)
  }
  const ends = [...commas, ...(quoted ?? []), text.length]
  return ends.map((end, part) => text.slice(part === 0 ? 0 : (ends[part - 1] ?? 0) + 1, end))
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

/** The segments of a JSON pointer (`/options/file`) or of a dotted path (`options.file`). */
export function argumentPath(key: string): readonly string[] {
  return key.startsWith('/') ? pointerSteps(key) : key.split('.')
}
