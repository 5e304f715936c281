/** Generates load for a client and measures its cost. */

/**
 * Keeps `depth` calls in flight until `count` have been made.
 *
 * @param {number} depth
 * @param {number} count
 * @param {() => Promise<unknown>} call
 */
export async function keepInFlight(depth, count, call) {
  let started = 0
  const lane = async () => {
    while (started < count) {
      started += 1
      await call()
    }
  }
  await Promise.all(Array.from({ length: depth }, lane))
}

/**
 * Measures the CPU time of this process (all threads) per call in microseconds, and the calls per second, over `count`
 * calls.
 *
 * @param {number} depth
 * @param {number} count
 * @param {() => Promise<unknown>} call
 */
export async function costOf(depth, count, call) {
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  await keepInFlight(depth, count, call)
  const elapsedMs = performance.now() - startedAt
  const { user, system } = process.cpuUsage(cpuBefore)
  return { cpuMicros: (user + system) / count, perSecond: (count / elapsedMs) * 1000 }
}

/**
 * Throws if a client does not return the expected value.
 *
 * @param {unknown} actual
 * @param {unknown} expected
 * @param {string} what
 */
export function expectEqual(actual, expected, what) {
  if (actual !== expected) throw new Error(`${what}: got ${String(actual)}, expected ${String(expected)}`)
}
