/**
 * How precisely the rounds so far tell a ratio, and whether more of them could still tell something.
 *
 * @typedef {import('./rounds.mjs').Measure} Measure
 * @typedef {import('./rounds.mjs').Round} Round
 * @typedef {import('./rounds.mjs').Row} Row
 * @typedef {import('./rounds.mjs').Target} Target
 * @typedef {{ low: number, high: number }} Interval
 */

/** Probability with which the interval of a median contains the true one. */
const confidence = 0.9

/** Fewer rounds have no such interval. */
const minRounds = 5

/** A ratio is known when its interval is at most this wide, relative to the median. */
const narrow = 0.06

/** Where all of the interval meets or misses the target, or there is no target, a wider one suffices. */
const decided = 0.1

/**
 * The median of the numbers, ignoring rounds without one.
 *
 * @param {readonly (number | undefined)[]} numbers
 */
export function median(numbers) {
  const sorted = sortedOf(numbers)
  const [low, high] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.ceil((sorted.length - 1) / 2)],
  ]
  return low === undefined || high === undefined ? undefined : (low + high) / 2
}

/**
 * The interval of the median that holds for any distribution: between the k-th smallest and the k-th largest number.
 * Undefined for too few numbers.
 *
 * @param {readonly (number | undefined)[]} numbers
 * @returns {Interval | undefined}
 */
export function intervalOf(numbers) {
  const sorted = sortedOf(numbers)
  const outside = omitted(sorted.length)
  const [low, high] = [sorted[outside], sorted[sorted.length - 1 - outside]]
  return sorted.length < minRounds || low === undefined || high === undefined ? undefined : { low, high }
}

/** @param {readonly (number | undefined)[]} numbers */
function sortedOf(numbers) {
  return numbers.filter((number) => number !== undefined).sort((a, b) => a - b)
}

/**
 * How many of the smallest and of the largest numbers are outside the interval: as many as the confidence permits. The
 * number of values below the median has a binomial distribution.
 *
 * @param {number} count
 */
function omitted(count) {
  let probability = 0.5 ** count
  let tail = probability
  let outside = 0
  while (outside < count) {
    probability *= (count - outside) / (outside + 1)
    tail += probability
    if (2 * tail > 1 - confidence) return outside
    outside += 1
  }
  return outside
}

/**
 * The subject divided by another client in each round. Undefined where one of them failed.
 *
 * @param {readonly Round[]} rounds
 * @param {string} key
 * @param {string} above
 * @param {string} below
 */
export function ratiosOf(rounds, key, above, below) {
  return rounds.map((round) => ratioOf(round.get(above)?.[key], round.get(below)?.[key]))
}

/**
 * The median of one client divided by another, slice by slice. Undefined where one of them has no slices.
 *
 * @param {readonly number[] | undefined} dividends
 * @param {readonly number[] | undefined} divisors
 */
function ratioOf(dividends = [], divisors = []) {
  const count = Math.min(dividends.length, divisors.length)
  return median(Array.from({ length: count }, (_, index) => (dividends[index] ?? 0) / (divisors[index] ?? 0)))
}

/**
 * The median of a client's slices in each round. Undefined where it failed.
 *
 * @param {readonly Round[]} rounds
 * @param {string} key
 * @param {string} client
 */
export function valuesOf(rounds, key, client) {
  return rounds.map((round) => median(round.get(client)?.[key] ?? []))
}

/**
 * Whether every row of a measure is known.
 *
 * @param {readonly Row[]} rows
 * @param {readonly Round[]} rounds
 * @param {{ base: string, subject: string }} clients
 */
export function isSettled(rows, rounds, { base, subject }) {
  return rows.every(({ key, target }) => {
    const values =
      target !== undefined && 'value' in target
        ? valuesOf(rounds, key, subject)
        : ratiosOf(rounds, key, subject, base)
    return isKnown(values, target)
  })
}

/**
 * @param {readonly (number | undefined)[]} values
 * @param {Target | undefined} target
 */
function isKnown(values, target) {
  const [middle, interval] = [median(values), intervalOf(values)]
  if (middle === undefined || interval === undefined) return false
  const width = (interval.high - interval.low) / middle
  return width <= narrow || (width <= decided && isOneSided(interval, target))
}

/**
 * @param {Interval} interval
 * @param {Target | undefined} target
 */
function isOneSided({ low, high }, target) {
  if (target === undefined) return true
  const limit = 'value' in target ? target.value : 'atMost' in target ? target.atMost : target.atLeast
  return high <= limit || low > limit
}
