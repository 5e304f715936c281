/** Runs `work` for all items at once. One failure does not stop the others. */
export async function all<T>(things: readonly T[], work: (thing: T) => Promise<void>): Promise<void> {
  const results = await Promise.allSettled(things.map(work))
  const failures = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  )
  if (failures.length > 0) throw new AggregateError(failures, 'could not close everything')
}
