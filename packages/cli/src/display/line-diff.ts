const context = 2

/** The lines in which two texts differ, with two lines around them. Changes are expected at one place. */
export function lineDiff(before: string, after: string): readonly string[] {
  const [old, changed] = [before.split('\n'), after.split('\n')]
  const start = firstDifference(old, changed)
  const end = firstDifference(old.slice(start).toReversed(), changed.slice(start).toReversed())
  const removed = old.slice(start, old.length - end)
  const added = changed.slice(start, changed.length - end)
  if (removed.length === 0 && added.length === 0) return []
  return [
    ...old.slice(Math.max(0, start - context), start).map((line) => `  ${line}`),
    ...removed.map((line) => `- ${line}`),
    ...added.map((line) => `+ ${line}`),
    ...old.slice(old.length - end, old.length - end + context).map((line) => `  ${line}`),
  ]
}

/** Number of equal lines at the beginning. */
function firstDifference(a: readonly string[], b: readonly string[]): number {
  const index = a.findIndex((line, at) => line !== b[at])
  return index === -1 ? Math.min(a.length, b.length) : index
}
