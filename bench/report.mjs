/**
 * Converts rounds to rows with medians and ratios. Ratios are computed within each round.
 *
 * @typedef {import('./rounds.mjs').Row} Row
 * @typedef {import('./rounds.mjs').Round} Round
 * @typedef {import('./rounds.mjs').Target} Target
 *
 * @typedef {object} Result
 * @property {string} measure
 * @property {string} title
 * @property {string} unit
 * @property {Target | undefined} target
 * @property {boolean | undefined} isMet Undefined without samples or target.
 * @property {number} rounds
 * @property {import('./precision.mjs').Interval | undefined} interval Of the subject divided by the base.
 * @property {string} base
 * @property {string} subject
 * @property {Record<string, number>} medians
 * @property {Record<string, number>} subjectRatios The subject divided by each other client.
 * @property {Record<string, number>} baseRatios Each client divided by the base.
 */
import { intervalOf, median, ratiosOf, valuesOf } from './precision.mjs'
import { clientsOf, rivalsIn } from './rounds.mjs'

/**
 * @param {import('./rounds.mjs').Measure} measure
 * @param {readonly Round[]} rounds
 * @returns {Result[]}
 */
export function resultsOf(measure, rounds) {
  return measure.rows.map((row) => resultOf(measure, row, rounds))
}

/**
 * @param {import('./rounds.mjs').Measure} measure
 * @param {Row} row
 * @param {readonly Round[]} rounds
 * @returns {Result}
 */
function resultOf(measure, { key, title, unit, target }, rounds) {
  const clients = clientsOf(measure)
  const [base = '', subject = ''] = clients
  const ratio = (/** @type {string} */ above, /** @type {string} */ below) =>
    median(ratiosOf(rounds, key, above, below))
  const by = (/** @type {(client: string) => number | undefined} */ number) =>
    Object.fromEntries(clients.flatMap((client) => entryOf(client, number(client))))
  const medians = by((client) => median(valuesOf(rounds, key, client)))
  const subjectRatios = by((client) => (client === subject ? undefined : ratio(subject, client)))
  const baseRatios = by((client) => (client === base ? undefined : ratio(client, base)))
  const isMet = meets(target, medians[subject], subjectRatios, base)
  return {
    measure: measure.name,
    title,
    unit,
    target,
    isMet,
    rounds: rounds.length,
    interval: intervalOf(ratiosOf(rounds, key, subject, base)),
    base,
    subject,
    medians,
    subjectRatios,
    baseRatios,
  }
}

/**
 * @param {string} client
 * @param {number | undefined} number
 * @returns {[string, number][]}
 */
function entryOf(client, number) {
  return number === undefined ? [] : [[client, number]]
}

/**
 * @param {Target | undefined} target
 * @param {number | undefined} value
 * @param {Readonly<Record<string, number>>} ratios
 * @param {string} base
 */
function meets(target, value, ratios, base) {
  if (value === undefined || target === undefined) return undefined
  if ('value' in target) return value <= target.value
  const ratio = ratios[base]
  if (ratio === undefined) return undefined
  if ('atLeast' in target) return ratio >= target.atLeast
  return (
    ratio <= target.atMost &&
    rivalsIn(target).every((rival) => (ratios[rival] ?? Number.POSITIVE_INFINITY) < 1)
  )
}

/**
 * Of several runs, each row from the run in which its ratio, or the value that has the target, is the median. A run may
 * lack rows: then the others have it.
 *
 * @param {readonly (readonly Result[])[]} runs
 * @returns {Result[]}
 */
export function medianRows(runs) {
  return rowsOfRuns(runs).flatMap((row) => {
    const sorted = row.toSorted((a, b) => comparedOf(a) - comparedOf(b))
    return sorted[Math.floor(sorted.length / 2)] ?? []
  })
}

/**
 * The results of each row, which those against another base are not part of.
 *
 * @param {readonly (readonly Result[])[]} runs
 * @returns {Result[][]}
 */
function rowsOfRuns(runs) {
  const rows = /** @type {Map<string, Result[]>} */ (new Map())
  for (const result of runs.flat()) {
    const key = JSON.stringify([result.measure, result.title, result.base])
    const row = rows.get(key)
    if (row === undefined) rows.set(key, [result])
    else row.push(result)
  }
  return [...rows.values()]
}

/**
 * What a row is judged by. A row without it, because a client failed, is last.
 *
 * @param {Result} result
 */
function comparedOf({ target, medians, subjectRatios, base, subject }) {
  const isValue = target !== undefined && 'value' in target
  return (isValue ? medians[subject] : subjectRatios[base]) ?? Number.MAX_VALUE
}

/**
 * Formats the results as a text table.
 *
 * @param {readonly Result[]} results
 */
export function table(results) {
  return aligned(rowsOf(results))
}

/**
 * A header and a row for each result. Ratios are the subject divided by the client of the column.
 *
 * @param {readonly Result[]} results
 * @returns {string[][]}
 */
export function rowsOf(results) {
  const peers = ['sdk-v2', 'sdk-v1', 'ai-sdk', 'mcporter', 'inspector', 'mcp-proxy', 'supergateway']
  const numbers = ['base', 'toolbridge', '÷ base', '90 %', 'rounds', 'target', '']
  const header = ['', ...numbers, ...peers.map((peer) => `÷ ${peer}`)]
  const rows = results.map((result) => [
    result.title,
    measured(result.medians[result.base], result.unit),
    measured(result.medians[result.subject], result.unit),
    short(result.subjectRatios[result.base]),
    range(result.interval),
    String(result.rounds),
    wanted(result.target, result.unit),
    verdict(result),
    ...peers.map((peer) => short(result.subjectRatios[peer])),
  ])
  return [header, ...rows]
}

/** @param {Result} result */
function verdict({ isMet, target }) {
  if (target === undefined) return ''
  return isMet === undefined ? 'no sample' : isMet ? 'met' : 'MISSED'
}

/**
 * @param {Target | undefined} target
 * @param {string} unit
 */
function wanted(target, unit) {
  if (target === undefined) return ''
  if ('value' in target) return `≤ ${target.value} ${unit}`
  if ('atLeast' in target) return `≥ ${target.atLeast}`
  return [`≤ ${target.atMost}`, ...rivalsIn(target).map((rival) => `< ${rival}`)].join(', ')
}

/**
 * @param {number | undefined} number
 * @param {string} unit
 */
function measured(number, unit) {
  return number === undefined ? '-' : `${short(number)} ${unit}`
}

/** @param {import('./precision.mjs').Interval | undefined} interval */
function range(interval) {
  return interval === undefined ? '-' : `${short(interval.low)}–${short(interval.high)}`
}

/** @param {number | undefined} number */
function short(number) {
  if (number === undefined) return '-'
  return number >= 1000 ? Math.round(number).toLocaleString('en') : number.toPrecision(3)
}

/** @param {readonly (readonly string[])[]} rows */
function aligned(rows) {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) =>
    row
      .map((text, column) => pad(text, column, widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return `${lines.join('\n')}\n`
}

/**
 * @param {string} text
 * @param {number} column
 * @param {number} width
 */
function pad(text, column, width) {
  return column === 0 ? text.padEnd(width) : text.padStart(width)
}
