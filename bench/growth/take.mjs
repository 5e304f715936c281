/**
 * Measures one row with one kind of input: the CPU time of this process for n, 2n, 4n and 8n, where 8n is the limit of the input.
 *
 * @typedef {import('./exponent.mjs').Point} Point
 * @typedef {import('./exponent.mjs').Growth} Growth
 *
 * @typedef {(size: number) => Promise<number | undefined>} Measure Returns milliseconds; undefined if there is no such input.
 *
 * @typedef {object} Row
 * @property {string} name
 * @property {number} [limit] Characters of the largest input. Default: 4 MiB.
 * @property {(text: string) => unknown} [prepare] What the function takes, made of the text before it is measured. Throws for a
 *   text that is no such input. Default: the text.
 * @property {(input: any) => unknown} take Errors of the function are results too.
 *
 * @typedef {Readonly<Record<string, readonly Row[]>>} RowsOfEntries By entry. The name of a row begins with that of the function.
 */
import { growthOf, isTooSteep, leastMs, steps } from './exponent.mjs'
import { kinds } from './kinds.mjs'

const defaultLimit = 4 * 1024 * 1024
/** A size is left out if this much would pass; the exponent of smaller ones says enough. */
const usualMostMs = 800
/** The best of so many, where one says that the growth is too steep. */
const repetitions = 4

/**
 * @param {Row} row
 * @param {string} kind
 * @returns {Promise<Growth | undefined>} Undefined if texts of the kind are no such input.
 */
export function takeRow(row, kind) {
  return takeMeasured(row.limit ?? defaultLimit, (size) => once(row, kind, size))
}

/**
 * @param {number} limit
 * @param {Measure} measure
 * @param {number} [mostMs] Default: 800.
 * @returns {Promise<Growth | undefined>} Undefined if there is no input to measure.
 */
export async function takeMeasured(limit, measure, mostMs = usualMostMs) {
  const ramp = await rampOf(limit, measure, mostMs)
  const largest = ramp.at(-1)
  if (largest === undefined) return undefined
  if (largest.size === limit && largest.milliseconds < leastMs) return growthOf([largest])
  const sizes = steps.map((step) => Math.floor(largest.size / step))
  let points = await atSizes(measure, sizes, ramp)
  // A disturbance is not in all repetitions.
  for (let time = 1; time < repetitions && isTooSteep(growthOf(points)); time += 1)
    points = (await atSizes(measure, sizes, [])).map((point, index) => faster(point, points[index]))
  return growthOf(points)
}

/**
 * Measures some sizes, from small to large: what grows quadratically would not end at the limit. The last is the largest whose
 * time is bearable.
 *
 * @param {number} limit
 * @param {Measure} measure
 * @param {number} mostMs
 * @returns {Promise<readonly Point[]>} None if texts of the kind are no such input.
 */
async function rampOf(limit, measure, mostMs) {
  // The first time compiles and loads.
  await measure(Math.floor(limit / 4_096))
  const points = []
  for (const part of [4_096, 512, 64, 8, 1]) {
    const size = Math.floor(limit / part)
    const milliseconds = await measure(size)
    if (milliseconds === undefined) return []
    points.push({ size, milliseconds })
    // Eight times the size is sixty-four times the time if the growth is quadratic.
    if (milliseconds * (part === 8 ? 8 : 64) > mostMs) break
  }
  return points
}

/**
 * @param {Measure} measure
 * @param {readonly number[]} sizes
 * @param {readonly Point[]} known What was measured before.
 */
async function atSizes(measure, sizes, known) {
  const points = []
  for (const size of sizes) {
    const before = known.find((point) => point.size === size)
    globalThis.gc?.()
    points.push(before ?? { size, milliseconds: (await measure(size)) ?? 0 })
  }
  return points
}

/**
 * @param {Point} point
 * @param {Point | undefined} other
 */
function faster(point, other = point) {
  return point.milliseconds < other.milliseconds ? point : other
}

/**
 * @param {Row} row
 * @param {string} kind
 * @param {number} size
 * @returns {Promise<number | undefined>}
 */
async function once({ prepare, take }, kind, size) {
  const text = kinds[kind]?.(size) ?? ''
  const input = prepare === undefined ? text : prepared(prepare, text)
  if (input === undefined) return undefined
  const before = process.cpuUsage()
  try {
    await take(input)
  } catch {
    // A refusal is an answer.
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/**
 * @param {(text: string) => unknown} prepare
 * @param {string} text
 */
function prepared(prepare, text) {
  try {
    return prepare(text)
  } catch {
    return undefined
  }
}
