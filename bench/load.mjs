/** Generates load for a client and measures its cost. */

/** Calls between two looks at the clock. */
const callsPerLook = 32

/**
 * Keeps `depth` calls in flight until `count` have been made, or until `withinMs` have passed. Returns how many were
 * made.
 *
 * @param {number} depth
 * @param {number} count
 * @param {() => Promise<unknown>} call
 * @param {number} [withinMs] Default: no limit.
 */
export async function keepInFlight(depth, count, call, withinMs = Infinity) {
  const endsAt = performance.now() + withinMs
  let started = 0
  let end = count
  const lane = async () => {
    while (started < end) {
      started += 1
      if (started % callsPerLook === 0 && performance.now() > endsAt) end = started
      await call()
    }
  }
  await Promise.all(Array.from({ length: depth }, lane))
  return started
}

/**
 * Measures the CPU time of this process (all threads) per call in microseconds, and the calls per second, over
 * `count` calls, or those that are made within `withinMs`.
 *
 * @param {number} depth
 * @param {number} count
 * @param {() => Promise<unknown>} call
 * @param {number} [withinMs] Default: no limit.
 */
export async function costOf(depth, count, call, withinMs) {
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  const made = await keepInFlight(depth, count, call, withinMs)
  const elapsedMs = performance.now() - startedAt
  const { user, system } = process.cpuUsage(cpuBefore)
  return { cpuMicros: (user + system) / made, perSecond: (made / elapsedMs) * 1000 }
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
