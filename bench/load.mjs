/** Generates load for a client and measures its cost. */

/** Calls between two looks at the CPU time, each of which takes a microsecond. */
const callsPerLook = 32

/**
 * Keeps `depth` calls in flight until `count` have been made, or until they have taken `maxCpuMs`. Returns how many were
 * made.
 *
 * @param {number} depth
 * @param {number} count
 * @param {() => Promise<unknown>} call
 * @param {number} [maxCpuMs] Default: no limit.
 */
async function keepInFlight(depth, count, call, maxCpuMs = Infinity) {
  const before = process.cpuUsage()
  let started = 0
  let end = count
  const lane = async () => {
    while (started < end) {
      started += 1
      if (started % callsPerLook === 0 && cpuMicrosSince(before) > maxCpuMs * 1000) end = started
      await call()
    }
  }
  await Promise.all(Array.from({ length: depth }, lane))
  return started
}

/**
 * Measures the CPU time of this process (all threads) per call in microseconds, and the calls per second, over
 * `count` calls, or those that are made in `maxCpuMs` of CPU time.
 *
 * @param {number} depth
 * @param {number} count
 * @param {() => Promise<unknown>} call
 * @param {number} [maxCpuMs] Default: no limit.
 */
export async function costOf(depth, count, call, maxCpuMs) {
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  const made = await keepInFlight(depth, count, call, maxCpuMs)
  const elapsedMs = performance.now() - startedAt
  return { cpuMicros: cpuMicrosSince(cpuBefore) / made, perSecond: (made / elapsedMs) * 1000 }
}

/**
 * CPU time of all threads of this process.
 *
 * @param {NodeJS.CpuUsage} before
 */
export function cpuMicrosSince(before) {
  const { user, system } = process.cpuUsage(before)
  return user + system
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
