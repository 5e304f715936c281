/**
 * How the time of something grows with its input.
 *
 * @typedef {{ size: number, milliseconds: number }} Point The best of several repetitions.
 * @typedef {object} Growth
 * @property {number} milliseconds At the largest size that was measured.
 * @property {number} size
 * @property {number} [exponent] Undefined if there is too little time to compute one of.
 */

/** Nothing is computed of less time at the largest size. */
export const leastMs = 5
/** What counts as linear: caches and the collection of garbage cost more with larger inputs. */
export const mostExponent = 1.2

/** The inputs are this many times smaller than the largest. */
export const steps = /** @type {const} */ ([8, 4, 2, 1])

/**
 * The slope of the line through the logarithms, which is the exponent of the growth.
 *
 * @param {readonly Point[]} points
 * @returns {number | undefined} Undefined with less than two sizes.
 */
export function exponentOf(points) {
  const logs = points.map(({ size, milliseconds }) => [
    Math.log(size),
    Math.log(Math.max(milliseconds, 0.001)),
  ])
  const [x, y] = [0, 1].map((axis) => mean(logs.map((log) => log[axis] ?? 0)))
  if (x === undefined || y === undefined || points.length < 2) return undefined
  const across = mean(logs.map(([size = 0]) => (size - x) ** 2))
  return across === 0 ? undefined : mean(logs.map(([size = 0, time = 0]) => (size - x) * (time - y))) / across
}

/**
 * @param {readonly Point[]} points From the smallest size to the largest.
 * @returns {Growth}
 */
export function growthOf(points) {
  const { size, milliseconds } = points.at(-1) ?? { size: 0, milliseconds: 0 }
  const exponent = milliseconds < leastMs ? undefined : exponentOf(points)
  return { size, milliseconds, ...(exponent === undefined ? {} : { exponent }) }
}

/** @param {Growth} growth */
export function isTooSteep({ exponent = 0 }) {
  return exponent > mostExponent
}

/** @param {readonly number[]} numbers */
function mean(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}
