/**
 * `npm run bench -- --only growth`: how the time of everything that takes text of others grows with it, and how long others wait
 * while a person sends the worst to a gateway. Fails if something grows faster than it may, or makes others wait.
 *
 * @typedef {import('../growth/exponent.mjs').Growth & { row: string, kind: string, delayMs?: number, failure?: string }} Result
 * @typedef {object} Job
 * @property {string} row
 * @property {string} kind
 * @property {object} question Of the process that measures it.
 */
import { fileURLToPath } from 'node:url'
import { commandRows } from '../growth/commands.mjs'
import { isTooSteep, mostExponent } from '../growth/exponent.mjs'
import { functions } from '../growth/functions/all.mjs'
import { mostDelayMs, WatchedGateway } from '../growth/gateway.mjs'
import { kinds } from '../growth/kinds.mjs'
import { requestRows } from '../growth/requests.mjs'
import { startWorker } from '../processes.mjs'

export const name = 'growth'

const worker = fileURLToPath(new URL('../growth/worker.mjs', import.meta.url))
const workerOptions = [
  '--expose-gc',
  '--single-threaded-gc',
  '--max-semi-space-size=128',
  '--max-old-space-size=6000',
]
const workers = 2
/** A row that takes longer does not end. */
const timeoutMs = 30_000
/** The kinds that differ most for what is costly to measure. */
const fewKinds = [
  'random',
  'repeated',
  'nested arrays',
  'empty objects',
  'separators',
  'fields',
  'CR',
  'U+2028',
  'spaces',
  'quotes',
  'percent sequences',
  'backslashes',
  'stars',
  'dots and slashes',
]
const quickKinds = ['random', 'nested arrays', 'empty objects', 'separators', 'CR', 'stars']

/**
 * @param {{ isQuick: boolean, matching: RegExp | undefined, note: (line: string) => void }} options `matching`: only rows like that.
 * @returns {Promise<readonly Result[]>}
 */
export async function measureGrowth({ isQuick, matching, note }) {
  const chosen = (/** @type {Job} */ { row }) => matching?.test(row) ?? true
  const many = isQuick ? quickKinds : Object.keys(kinds)
  const few = isQuick ? quickKinds : fewKinds
  const functionJobs = Object.entries(functions).flatMap(([entry, rows]) =>
    rows.flatMap((row) =>
      many.map((kind) => ({ row: `${entry} ${row.name}`, kind, question: { entry, name: row.name, kind } })),
    ),
  )
  const commandJobs = commandRows.flatMap((row, index) =>
    (isQuick ? quickKinds.slice(0, 3) : quickKinds).map((kind) => ({
      row: `toolbridge ${row.command}${row.place ? `: ${row.place}` : ''}`,
      kind,
      question: { command: index, kind },
    })),
  )
  const results = await inWorkers([...functionJobs, ...commandJobs].filter(chosen), note)
  return [...results, ...(await inGateway(few, matching, note))]
}

/**
 * @param {readonly Job[]} jobs
 * @param {(line: string) => void} note
 */
async function inWorkers(jobs, note) {
  const waiting = [...jobs]
  const results = /** @type {Result[]} */ ([])
  const keep = keeping(results, note)
  const start = () => startWorker([...workerOptions, worker], { core: undefined, timeoutMs })
  const lane = async () => {
    let process = await start()
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      const { row, kind, question } = job
      try {
        const growth = await process.ask(JSON.stringify(question))
        if (growth.size !== undefined) keep({ row, kind, ...growth })
      } catch (error) {
        keep({ row, kind, size: 0, milliseconds: timeoutMs, failure: messageOf(error) })
        process = await start()
      }
    }
    await process.close()
  }
  note(`growth: ${jobs.length} rows of functions and commands`)
  await Promise.all(Array.from({ length: workers }, lane))
  return results
}

/**
 * @param {readonly string[]} some
 * @param {RegExp | undefined} matching
 * @param {(line: string) => void} note
 */
async function inGateway(some, matching, note) {
  const rows = requestRows().filter((row) => matching?.test(row.name) ?? true)
  note(`growth: ${rows.length * some.length} rows of requests`)
  const gateway = new WatchedGateway()
  const results = /** @type {Result[]} */ ([])
  const keep = keeping(results, note)
  try {
    for (const row of rows)
      for (const kind of some) keep({ row: row.name, kind, ...(await gateway.take(row, kind)) })
  } finally {
    await gateway.close()
  }
  return results
}

/**
 * Collects results, and tells at once of those over a limit.
 *
 * @param {Result[]} results
 * @param {(line: string) => void} note
 * @returns {(result: Result) => void}
 */
function keeping(results, note) {
  return (result) => {
    results.push(result)
    if (isOver(result)) note(`over${lineOf(result)}`)
  }
}

/** @param {Result} result */
export function isOver(result) {
  return isTooSteep(result) || result.failure !== undefined || (result.delayMs ?? 0) > mostDelayMs
}

/**
 * The worst row of each kind, and every row over a limit.
 *
 * @param {readonly Result[]} results
 */
export function growthReport(results) {
  const names = [...new Set(results.map(({ kind }) => kind))]
  const steepest = names.flatMap((kind) => worstBy(results, kind, ({ exponent = 0 }) => exponent))
  const slowest = names.flatMap((kind) => worstBy(results, kind, ({ delayMs = 0 }) => delayMs))
  const over = results.filter(isOver)
  return [
    `steepest growth by kind of input (at most ${mostExponent})`,
    ...steepest.map(lineOf),
    '',
    `longest delay of another person's /healthz by kind of input (at most ${mostDelayMs} ms)`,
    ...slowest.map(lineOf),
    '',
    over.length === 0
      ? `all ${results.length} rows are within the limits`
      : `${over.length} of ${results.length} rows are over a limit`,
    ...over.map(lineOf),
    '',
  ].join('\n')
}

/**
 * @param {readonly Result[]} results
 * @param {string} kind
 * @param {(result: Result) => number} value
 */
function worstBy(results, kind, value) {
  const own = results.filter((result) => result.kind === kind && value(result) > 0)
  return own.toSorted((one, other) => value(other) - value(one)).slice(0, 1)
}

/** @param {Result} result */
function lineOf({ row, kind, size, milliseconds, exponent, delayMs, failure }) {
  const facts = [
    `${milliseconds.toFixed(1)} ms for ${size} characters`,
    ...(exponent === undefined ? [] : [`exponent ${exponent.toFixed(2)}`]),
    ...(delayMs === undefined ? [] : [`delay ${delayMs.toFixed(0)} ms`]),
    ...(failure === undefined ? [] : [failure]),
  ]
  return `  ${kind.padEnd(20)} ${row}: ${facts.join(', ')}`
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? (error.message.split('\n').at(-1) ?? '') : String(error)
}
