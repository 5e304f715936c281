import { Session } from 'node:inspector'

/**
 * The number of function calls that each action makes: a measure of work that is the same on every machine. Native functions
 * and loops without calls do not count. Count related actions together: to start counting takes longer than most of them.
 */
export function countCalls<Actions extends readonly (() => unknown)[]>(
  ...actions: Actions
): { readonly [Index in keyof Actions]: number } {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const counts = actions.map((action) => {
    action()
    return takeCount(session)
  })
  session.post('Profiler.stopPreciseCoverage')
  session.disconnect()
  return counts as { readonly [Index in keyof Actions]: number }
}

/** The calls since the last count. */
function takeCount(session: Session): number {
  let count = 0
  session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
    for (const { functions } of result) for (const { ranges } of functions) count += ranges[0]?.count ?? 0
  })
  return count
}
