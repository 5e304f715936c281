/**
 * Runs the official conformance suite against the client, scenario by scenario, and prints a table.
 * Exits with 1 if a scenario of `expected.json` does not pass.
 */
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { Runner } from './runner.mjs'
import { currentSuite, judge, listOldRuns, listRequired, listRuns, oldSuite, revisions } from './suite.mjs'

/**
 * @typedef {import('./suite.mjs').Run} Run
 * @typedef {import('./suite.mjs').Verdict} Verdict
 */

const usage = `usage: npm run conformance -- [options]
  --filter TEXT   only scenarios whose name contains TEXT, with the reasons of every failure
  --json          the verdicts as JSON
  --newest        each scenario at the newest revision it applies to, and nothing of the last stable release
`

const { values: options } = parseArgs({
  options: {
    filter: { type: 'string' },
    json: { type: 'boolean', default: false },
    newest: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (options.help) {
  print(usage)
} else {
  const verdicts = await judgeCurrent()
  const old = options.newest ? [] : await judgeOld()
  const broken = await brokenExpectations(verdicts)
  const required = hasScores() ? await withRunner(await currentSuite(), listRequired) : []
  print(
    options.json
      ? `${JSON.stringify([...verdicts, ...old], null, 2)}\n`
      : report(verdicts, broken, scores(verdicts, required)) + informationOf(old),
  )
  process.exitCode = broken.length > 0 ? 1 : 0
}

async function judgeCurrent() {
  const suite = await currentSuite()
  return withRunner(suite, async (runner) => {
    const runs = filtered(await listRuns(runner))
    if (runs.length === 0) throw new Error(`no scenario matches "${options.filter}"`)
    const chosen = options.newest ? runs.filter((run) => run === newestOf(run.scenario, runs)) : runs
    return judgeAll(suite, chosen, runner, availableParallelism())
  })
}

/** The last stable release checks reconnect times, which other work on the machine would distort. */
async function judgeOld() {
  const suite = await oldSuite()
  return withRunner(suite, async (runner) => judgeAll(suite, filtered(await listOldRuns(runner)), runner, 1))
}

/** @param {readonly Run[]} runs */
function filtered(runs) {
  return runs.filter((run) => run.scenario.includes(options.filter ?? ''))
}

/**
 * @param {string} scenario
 * @param {readonly Run[]} runs
 */
function newestOf(scenario, runs) {
  return runs.findLast((run) => run.scenario === scenario)
}

/**
 * @param {string} suite
 * @param {readonly Run[]} runs
 * @param {Runner} first The runner of the first lane.
 * @param {number} lanes
 */
async function judgeAll(suite, runs, first, lanes) {
  const verdicts = /** @type {Verdict[]} */ ([])
  const queue = runs.entries()
  const judgeNext = async (/** @type {Runner} */ runner) => {
    for (const [index, run] of queue) verdicts[index] = await judge(runner, run)
    await runner.endClient()
  }
  const others = Array.from({ length: lanes - 1 }, () => withRunner(suite, judgeNext))
  await Promise.all([judgeNext(first), ...others])
  return verdicts
}

/**
 * @template Result
 * @param {string} suite
 * @param {(runner: Runner) => Promise<Result>} work
 */
async function withRunner(suite, work) {
  const runner = new Runner(suite)
  try {
    return await work(runner)
  } finally {
    runner.close()
  }
}

/** @param {readonly Verdict[]} verdicts */
async function brokenExpectations(verdicts) {
  const expected = await readExpected()
  return verdicts.filter((verdict) => !verdict.passed && isExpected(expected, verdict.run))
}

/** @returns {Promise<Record<string, string[]>>} */
async function readExpected() {
  return JSON.parse(await readFile(new URL('expected.json', import.meta.url), 'utf8'))
}

/**
 * @param {Record<string, string[]>} expected
 * @param {Run} run
 */
function isExpected(expected, run) {
  return expected[run.revision]?.includes(run.scenario) ?? false
}

function hasScores() {
  return options.filter === undefined && !options.newest
}

/**
 * Counts as the suite does: scenarios, and those that a revision requires.
 *
 * @param {readonly Verdict[]} verdicts
 * @param {readonly [revision: string, scenarios: readonly string[]][]} required
 */
function scores(verdicts, required) {
  if (!hasScores()) return []
  const scenarios = [...new Set(verdicts.map(({ run }) => run.scenario))]
  const passes = (/** @type {string} */ scenario, /** @type {string | undefined} */ revision) =>
    verdicts
      .filter(({ run }) => run.scenario === scenario && (revision ?? run.revision) === run.revision)
      .every(({ passed }) => passed)
  return [
    `${scenarios.filter((scenario) => passes(scenario, undefined)).length} of ${scenarios.length} scenarios, at every revision they apply to`,
    ...required.map(
      ([revision, names]) =>
        `${names.filter((name) => passes(name, revision)).length} of ${names.length} required by ${revision}`,
    ),
  ]
}

/**
 * @param {readonly Verdict[]} verdicts
 * @param {readonly Verdict[]} broken
 * @param {readonly string[]} counts
 */
function report(verdicts, broken, counts) {
  const passed = verdicts.filter((verdict) => verdict.passed).length
  const explained = options.filter === undefined ? broken : verdicts.filter((verdict) => !verdict.passed)
  return [
    table(verdicts),
    ...explained.map(explanation),
    ...counts,
    `${passed} of ${verdicts.length} runs pass${broken.length > 0 ? `, ${broken.length} that should do not` : ''}`,
    '',
  ].join('\n')
}

/**
 * The last stable release is for information; its results do not fail the command.
 *
 * @param {readonly Verdict[]} old
 */
function informationOf(old) {
  return old.length === 0
    ? ''
    : `\nfor information, the last stable release of the suite:\n${report(old, [], [])}`
}

/** @param {readonly Verdict[]} verdicts */
function table(verdicts) {
  const scenarios = [...new Set(verdicts.map((verdict) => verdict.run.scenario))]
  const columns = [...revisions, '0.1'].filter((name) =>
    verdicts.some((verdict) => verdict.run.revision === name),
  )
  const rows = scenarios.map((scenario) => [
    scenario,
    ...columns.map((column) =>
      cell(verdicts.find(({ run }) => run.scenario === scenario && run.revision === column)),
    ),
  ])
  return aligned([['scenario', ...columns], ...rows])
}

/** @param {Verdict | undefined} verdict */
function cell(verdict) {
  if (verdict === undefined) return '-'
  return verdict.passed ? `pass (${verdict.successes})` : `FAIL (${verdict.reason})`
}

/** @param {readonly string[][]} rows */
function aligned(rows) {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return `${lines.join('\n')}\n`
}

/** @param {Verdict} verdict */
function explanation({ run, reason, complaints }) {
  return [`${run.scenario} at ${run.revision}: ${reason}`, ...complaints.map((line) => `  ${line}`), ''].join(
    '\n',
  )
}

/** @param {string} text */
function print(text) {
  process.stdout.write(text)
}
