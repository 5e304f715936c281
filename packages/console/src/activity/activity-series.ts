import type { ActivityEntry } from '@toolbridge/api'

/** Calls of a period of time. */
export interface ActivityBucket {
  /** Start of the period, in seconds since the epoch. */
  readonly at: number
  readonly calls: number
  /** Calls that failed or whose tool reported an error. */
  readonly errors: number
  /** Duration that half of the calls did not exceed, in milliseconds; null without calls. */
  readonly medianMs: number | null
  /** Duration that 95 % of the calls did not exceed; null without calls. */
  readonly p95Ms: number | null
}

const bucketCount = 40
/** Periods, in seconds: the shortest that needs at most `bucketCount` buckets is used. */
const periods = [1, 5, 15, 60, 300, 900, 3_600, 21_600, 86_400]

/** Divides the time of the entries into equal periods, oldest first. */
export function activityBuckets(entries: readonly ActivityEntry[]): readonly ActivityBucket[] {
  const times = entries.map(({ at }) => Date.parse(at) / 1_000)
  const [first, last] = rangeOf(times)
  if (first > last) return []
  const period =
    periods.find((seconds) => (last - first) / seconds <= bucketCount) ?? (last - first) / bucketCount
  const start = Math.floor(first / period) * period
  const calls: ActivityEntry[][] = Array.from({ length: Math.floor((last - start) / period) + 1 }, () => [])
  for (const [index, entry] of entries.entries()) {
    calls[Math.floor(((times[index] ?? 0) - start) / period)]?.push(entry)
  }
  return calls.map((inPeriod, index) => bucketOf(start + index * period, inPeriod))
}

/** The least and the greatest of the numbers. */
function rangeOf(numbers: readonly number[]): readonly [number, number] {
  let [least, greatest] = [Infinity, -Infinity]
  for (const number of numbers) {
    if (number < least) least = number
    if (number > greatest) greatest = number
  }
  return [least, greatest]
}

function bucketOf(
  at: number,
  calls: readonly Pick<ActivityEntry, 'outcome' | 'latencyMs'>[],
): ActivityBucket {
  const latencies = calls.map(({ latencyMs }) => latencyMs).toSorted((left, right) => left - right)
  return {
    at,
    calls: calls.length,
    errors: calls.filter(({ outcome }) => isError(outcome)).length,
    medianMs: percentile(latencies, 0.5),
    p95Ms: percentile(latencies, 0.95),
  }
}

/** Returns whether a call failed. A denied or cancelled call did what a person wanted. */
export function isError(outcome: ActivityEntry['outcome']): boolean {
  return outcome === 'failed' || outcome === 'tool_error'
}

/** The smallest value that is at least as large as the given part of all values. */
export function percentile(sorted: readonly number[], part: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? null
}
