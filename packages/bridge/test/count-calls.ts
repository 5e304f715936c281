import { Session } from 'node:inspector'

/**
 * The number of function calls that an action makes: a measure of work that is the same on every machine. Native functions
 * and loops without calls do not count.
 */
export function countCalls(action: () => void): number {
  const session = new Session()
  session.connect()
  let count = 0
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  action()
  session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
    for (const { functions } of result) for (const { ranges } of functions) count += ranges[0]?.count ?? 0
  })
  session.post('Profiler.stopPreciseCoverage')
  session.disconnect()
  return count
}
