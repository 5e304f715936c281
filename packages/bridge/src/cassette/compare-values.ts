import { isJsonObject } from '@toolbridge/client/internal'
import { matches } from './match-params.ts'

/** A value that differs from the recorded one. */
export interface Difference {
  /** Path in the result or definition, such as `content.0.text`. Empty: the value as a whole. */
  readonly path: string
  /** Undefined if it is new. */
  readonly recorded?: unknown
  /** Undefined if it is gone. */
  readonly live?: unknown
}

/** Values that differ from one run to the next: dates, times, UUIDs and milliseconds since 1970. */
const varying: readonly RegExp[] = [
  /\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?/g,
  /(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\w ]{5,12},? \d{4} \d{2}:\d{2}:\d{2}[\w +:()-]*/g,
  /\d{4}-\d{2}-\d{2}/g,
  /\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?(?: ?[AP]M)?/g,
  /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi,
  /\b1\d{12}\b/g,
]

/** All differences between a recorded value and a live one, without those that vary and those at ignored paths. */
export function differences(
  recorded: unknown,
  live: unknown,
  isIgnored: (path: string) => boolean,
): readonly Difference[] {
  return differencesAt('', recorded, live, isIgnored)
}

function differencesAt(
  path: string,
  recorded: unknown,
  live: unknown,
  isIgnored: (path: string) => boolean,
): readonly Difference[] {
  if (isIgnored(path) || isAlike(recorded, live)) return []
  const keys = commonKeys(recorded, live)
  if (keys === undefined) return [{ path, recorded, live }]
  return keys.flatMap((key) =>
    differencesAt(
      path === '' ? key : `${path}.${key}`,
      Reflect.get(Object(recorded), key),
      Reflect.get(Object(live), key),
      isIgnored,
    ),
  )
}

/** The members to compare one by one; undefined if the values are compared as a whole. */
function commonKeys(recorded: unknown, live: unknown): readonly string[] | undefined {
  if (isJsonObject(recorded) && isJsonObject(live))
    return [...new Set([...Object.keys(recorded), ...Object.keys(live)])]
  if (!Array.isArray(recorded) || !Array.isArray(live)) return undefined
  return Object.keys(recorded.length > live.length ? recorded : live)
}

function isAlike(recorded: unknown, live: unknown): boolean {
  if (typeof recorded === 'string' && typeof live === 'string')
    return matches(recorded, live) || matches(settled(recorded), settled(live))
  if (typeof recorded === 'number' && typeof live === 'number')
    return recorded === live || (isMilliseconds(recorded) && isMilliseconds(live))
  return matches(recorded, live)
}

/** A text with a placeholder for each value that varies. */
function settled(text: string): string {
  return varying.reduce((rest, pattern) => rest.replaceAll(pattern, '<varies>'), text)
}

function isMilliseconds(value: number): boolean {
  return Number.isInteger(value) && value >= 1e12 && value < 2e12
}

/** Whether a path is one of those to ignore, or inside of it. `*` stands for any one part. */
export function ignoring(patterns: readonly string[]): (path: string) => boolean {
  const parts = patterns.map((pattern) => pattern.split('.'))
  return (path) => {
    const steps = path.split('.')
    return parts.some(
      (part) => part.length === steps.length && part.every((each, at) => each === '*' || each === steps[at]),
    )
  }
}
