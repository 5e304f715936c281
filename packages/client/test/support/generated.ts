/** Whether the full counts were asked for (`npm run test:long`). */
export const isLongRun: boolean = process.env['TOOLBRIDGE_LONG'] === '1'

/** How many inputs are generated: a few for every day, many in a long run. A failure prints the seed that repeats it. */
export function inputs(everyDay: number, long = 100_000): { readonly numRuns: number } {
  return { numRuns: isLongRun ? long : everyDay }
}

/** What a test with generated inputs may take. */
export const GENERATED_TIMEOUT_MS = 600_000

/** The same bytes in pieces, cut at the given positions, wherever those lie. */
export function cut(bytes: Buffer, positions: readonly number[]): Buffer[] {
  const ends = [...new Set(positions.map((position) => position % (bytes.length + 1)))].toSorted(
    (a, b) => a - b,
  )
  return [...ends, bytes.length].map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
}
