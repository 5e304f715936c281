/** `npm run bench`: compares the client with the baseline and its peers in one interleaved run and prints ratios. */
import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { basename, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { markdownPage } from './markdown.mjs'
import { measures as bridge } from './measures/bridge.mjs'
import { measures as bundle } from './measures/bundle.mjs'
import { measures as calls } from './measures/calls.mjs'
import { measures as code } from './measures/code.mjs'
import { measures as command } from './measures/command.mjs'
import { measures as gateway } from './measures/gateway.mjs'
import { growthReport, isOver, measureGrowth, name as growth } from './measures/growth.mjs'
import { measures as idle } from './measures/idle.mjs'
import { measures as largeResults } from './measures/large-results.mjs'
import { measures as sealing } from './measures/sealing.mjs'
import { measures as start } from './measures/start.mjs'
import { measures as tokens } from './measures/tokens.mjs'
import { measures as toolLists } from './measures/tool-lists.mjs'
import { installOnce } from '../scripts/install-once.mjs'
import { pinnableCore } from './processes.mjs'
import { lookAtPublished } from './published.mjs'
import { medianRows, resultsOf, table } from './report.mjs'
import { before, clientsOf, takeRounds } from './rounds.mjs'

const measures = [
  ...calls,
  ...largeResults,
  ...toolLists,
  ...start,
  ...command,
  ...idle,
  ...bundle,
  ...bridge,
  ...code,
  ...tokens,
  ...gateway,
  ...sealing,
]

const usage = `usage: npm run bench -- [options]
  --only NAME      one measure; may be given more than once: ${[...measures.map((measure) => measure.name), growth].join(', ')}
                   ${growth}, which compares nothing, is measured only if it is named
  --rounds N       rounds of every measure. Default: until its ratios are known
  --runs N         all of it N times; each row is that of the run with the median ratio. Default: 1
  --from FILE      the results of an earlier run with --json instead of a new one; may be given more than once, also with
                   runs of some measures only
  --quick          two rounds and fewer slices: a first impression
  --matching TEXT  of growth, only the rows whose name matches this regular expression
  --without-peers  only against the base, which takes half the time
  --against FOLDER only against the same client of another checkout that is built: what a change costs
  --json           the results as JSON
  --markdown FILE  write the results as a page too, with what the published package holds: docs/performance.md
  --profile FOLDER write a CPU profile of every sample (which makes all of them slower)
`

/** A change may make a row this much worse. */
const tolerated = 1.05
const peers = fileURLToPath(new URL('peers/', import.meta.url))

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    rounds: { type: 'string' },
    runs: { type: 'string', default: '1' },
    from: { type: 'string', multiple: true },
    quick: { type: 'boolean', default: false },
    matching: { type: 'string' },
    'without-peers': { type: 'boolean', default: false },
    against: { type: 'string' },
    json: { type: 'boolean', default: false },
    markdown: { type: 'string' },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

if (options.help) process.stdout.write(usage)
else await main()

async function main() {
  const earlier = await earlierRuns(options.from ?? [])
  if (earlier !== undefined) return present(earlier.machine, earlier.runs)
  if (options.only?.includes(growth)) await showGrowth()
  const chosen = chosenMeasures()
  if (chosen.length === 0) return
  const conditions = {
    core: pinnableCore(),
    rounds: options.rounds === undefined ? undefined : Number(options.rounds),
    isQuick: options.quick,
    profiles: options.profile,
    against: options.against && resolve(options.against),
  }
  if (chosen.some((measure) => clientsOf(measure).length > 2 || isOfPeer(measure)))
    installOnce(peers, 'the peers, which --without-peers leaves out')
  const machine = await describeMachine(conditions.core)
  const runs = []
  for (let run = 0; run < Number(options.runs); run += 1) runs.push(await takeRun(chosen, conditions))
  await present(describeRuns(machine, runs.length), runs)
}

/** Fails if anything grows faster than it may, or makes others wait. */
async function showGrowth() {
  const matching = options.matching === undefined ? undefined : new RegExp(options.matching)
  const results = await measureGrowth({ isQuick: options.quick, matching, note })
  process.stdout.write(options.json ? `${JSON.stringify({ growth: results })}\n` : growthReport(results))
  if (results.some(isOver)) process.exitCode = 1
}

/**
 * The results of earlier runs, and the machine of the first.
 *
 * @param {readonly string[]} files
 */
async function earlierRuns(files) {
  const runs = await Promise.all(files.map(async (file) => JSON.parse(await readFile(file, 'utf8'))))
  const [first] = runs
  if (first === undefined) return undefined
  return { machine: describeRuns(first.machine, runs.length), runs: runs.map(({ results }) => results) }
}

/**
 * Prints the median of the runs, and writes it as a page.
 *
 * @param {Readonly<Record<string, string>>} machine
 * @param {readonly (readonly import('./report.mjs').Result[])[]} runs
 */
async function present(machine, runs) {
  const names = measures.map((measure) => measure.name)
  const results = medianRows(runs).sort((a, b) => names.indexOf(a.measure) - names.indexOf(b.measure))
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ machine, results }, null, 2)}\n`
      : `\n${Object.values(machine).join('\n')}\n\n${table(results)}`,
  )
  if (options.markdown !== undefined) {
    const published = lookAtPublished()
    const command = `npm run bench -- ${process.argv.slice(2).map(withoutFolder).join(' ')}`
    await writeFile(options.markdown, markdownPage({ machine, results, published, command, at: new Date() }))
  }
}

/**
 * The file names of earlier runs say enough.
 *
 * @param {string} argument
 */
function withoutFolder(argument) {
  return argument.endsWith('.json') ? basename(argument) : argument
}

/**
 * @param {readonly import('./rounds.mjs').Measure[]} chosen
 * @param {import('./rounds.mjs').Conditions} conditions
 */
async function takeRun(chosen, conditions) {
  const results = []
  for (const measure of chosen) {
    const startedAt = performance.now()
    const { rounds, failures } = await takeRounds(measure, conditions)
    results.push(...resultsOf(measure, rounds))
    note(`${measure.name}: ${rounds.length} rounds, ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
    for (const failure of new Set(failures.map(({ client, error }) => `  ${client} failed: ${error}`)))
      note(failure)
    if (failures.length > 0) process.exitCode = 1
  }
  return results
}

function chosenMeasures() {
  const unknown =
    options.only?.filter((name) => name !== growth && !measures.some((measure) => measure.name === name)) ??
    []
  if (unknown.length > 0) throw new RangeError(`unknown measure: ${unknown.join(', ')}\n${usage}`)
  const chosen = measures.filter((measure) => options.only?.includes(measure.name) ?? true)
  if (options.against !== undefined) return chosen.map(withBefore)
  if (!options['without-peers']) return chosen
  return chosen
    .filter((measure) => !isOfPeer(measure))
    .map((measure) => ({ ...measure, clients: pairOf(measure) }))
}

/**
 * The measure with the subject of another checkout as its base.
 *
 * @param {import('./rounds.mjs').Measure} measure
 */
function withBefore(measure) {
  const [, subject = ''] = clientsOf(measure)
  const rows = measure.rows.map((row) => ({ ...row, target: toleratedTarget(row) }))
  return { ...measure, clients: [before, subject], rows }
}

/**
 * @param {import('./rounds.mjs').Row} row
 * @returns {import('./rounds.mjs').Target}
 */
function toleratedTarget({ target }) {
  return target !== undefined && 'atLeast' in target ? { atLeast: 1 / tolerated } : { atMost: tolerated }
}

/**
 * Whether the base is a peer.
 *
 * @param {import('./rounds.mjs').Measure} measure
 */
function isOfPeer(measure) {
  return ['mcporter', 'official'].includes(clientsOf(measure)[0] ?? '')
}

/** @param {import('./rounds.mjs').Measure} measure */
function pairOf(measure) {
  return clientsOf(measure).slice(0, 2)
}

/** @param {number | undefined} core */
async function describeMachine(core) {
  const manifest = await readFile(new URL('peers/package.json', import.meta.url), 'utf8')
  const { dependencies } = JSON.parse(manifest)
  const peer = (/** @type {string} */ name) => `${name} ${dependencies[name]}`
  return {
    hardware: `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}`,
    node: `Node ${process.version} on ${process.platform} ${process.arch}`,
    pinning:
      core === undefined
        ? 'clients and servers not pinned: taskset is not available'
        : `client and server of the call measures pinned to core ${core}, the rest not pinned`,
    peers: `sdk-v2 is ${peer('@modelcontextprotocol/client')}, sdk-v1 is ${peer('@modelcontextprotocol/sdk')}, ai-sdk is ${peer('@ai-sdk/mcp')}; the commands are ${peer('mcporter')} and ${peer('@modelcontextprotocol/inspector')}; the gateways are ${peer('mcp-proxy')} and ${peer('supergateway')}`,
    reading:
      'medians; a ratio is toolbridge divided by the client of its column, taken from adjacent slices of a round; 90 % is the interval of the ratio to the base; base is raw, or toolbridge itself where every feature is in use',
    rounds:
      options.rounds === undefined
        ? 'a measure ends when its ratios are known: an interval of at most 6 %, or of at most 10 % that is entirely on one side of the target; peers take part in the first round, in every one if the target names them'
        : `${options.rounds} rounds of every measure; peers take part in the first, in every one if the target names them`,
  }
}

/**
 * @param {Readonly<Record<string, string>>} machine
 * @param {number} count
 */
function describeRuns(machine, count) {
  const runs =
    count === 1
      ? '1 run'
      : `${count} runs; each row is that of the run with the median ratio, of those that have the row`
  return { ...machine, runs }
}

/** @param {string} line */
function note(line) {
  process.stderr.write(`${line}\n`)
}
