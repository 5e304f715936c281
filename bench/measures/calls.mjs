/** Many small calls: sequential, as from an agent, and concurrent, as from a gateway. */
import { connect } from '../clients/clients.mjs'
import { costOf, expectEqual, keepInFlight } from '../load.mjs'

/** @typedef {import('../rounds.mjs').Measure} Measure */

const text = 'The quick brown fox jumps over the lazy dog, again and again.'
// Node's HTTP code needs thousands of calls to be fully compiled; peers take half a millisecond per call.
const warmUp = { stdio: { 1: 2500, 16: 2500 }, http: { 1: 2500, 16: 2500 } }
const measured = { stdio: { 1: 4000, 16: 10_000, 256: 16_000 }, http: { 1: 2000, 16: 5000, 256: 5000 } }
/** Time for the calls of one warm-up, and for those measured at one depth: a slow peer makes fewer. */
const withinMs = { warmUp: 1200, measured: 800 }
/** More calls without peers: small differences need them. */
const timesMore = { stdio: { warmUp: 4, measured: 2 }, http: { warmUp: 2, measured: 1 } }
const once = { warmUp: 1, measured: 1 }
/** Node recompiles its streams when the depth changes, which takes this many calls. */
const settling = { stdio: { 1: 4000, 16: 60_000, 256: 30_000 }, http: { 1: 1000, 16: 3000, 256: 3000 } }

/** @type {Measure[]} */
export const measures = [
  {
    ...callMeasure('stdio-calls', { kind: 'stdio' }),
    rows: [
      cpuRow('stdio', 1, 1.2),
      cpuRow('stdio', 16, 0.75),
      cpuRow('stdio', 256, 0.6),
      {
        key: 'perSecond256',
        title: 'stdio, calls per second, 256 in flight',
        unit: '/s',
        target: { atLeast: 1.5 },
      },
    ],
  },
  {
    ...callMeasure('http-json-calls', { kind: 'http' }),
    maxRounds: 12,
    rows: [cpuRow('HTTP JSON', 1, 1.15), cpuRow('HTTP JSON', 16, 1.15), cpuRow('HTTP JSON', 256, 1.15)],
  },
  {
    ...callMeasure('http-sse-calls', { kind: 'http', args: ['--sse'] }),
    maxRounds: 12,
    rows: [cpuRow('HTTP SSE', 1, 1.2), cpuRow('HTTP SSE', 16, 1.2), cpuRow('HTTP SSE', 256, 1.2)],
  },
  {
    ...callMeasure('everything-stdio', { kind: 'stdio' }),
    maxRounds: 11,
    clients: ['toolbridge', 'toolbridge-everything'],
    rows: [everythingRow('stdio', 1), everythingRow('stdio', 16), everythingRow('stdio', 256)],
  },
  {
    ...callMeasure('everything-http', { kind: 'http' }),
    maxRounds: 11,
    clients: ['toolbridge', 'toolbridge-everything'],
    rows: [everythingRow('HTTP JSON', 1), everythingRow('HTTP JSON', 16), everythingRow('HTTP JSON', 256)],
  },
  {
    ...callMeasure('bridge-stdio-calls', { kind: 'stdio' }),
    maxRounds: 11,
    clients: ['toolbridge', 'bridge'],
    rows: [bridgeRow('stdio', 1), bridgeRow('stdio', 16), bridgeRow('stdio', 256)],
  },
  {
    ...callMeasure('bridge-http-calls', { kind: 'http' }),
    maxRounds: 11,
    clients: ['toolbridge', 'bridge'],
    rows: [bridgeRow('HTTP JSON', 1), bridgeRow('HTTP JSON', 16), bridgeRow('HTTP JSON', 256)],
  },
  {
    ...callMeasure('bridge-observed-calls', { kind: 'stdio' }),
    clients: ['bridge', 'bridge-observed'],
    rows: [observedRow('stdio', 1), observedRow('stdio', 16), observedRow('stdio', 256)],
  },
]

/**
 * @param {string} name
 * @param {import('../rounds.mjs').ServerNeed} server
 */
function callMeasure(name, server) {
  return { name, module: 'calls', server, maxRounds: 12, isPinned: true }
}

/**
 * @param {string} over
 * @param {number} depth
 * @param {number} [atMost]
 * @returns {import('../rounds.mjs').Row}
 */
function cpuRow(over, depth, atMost) {
  return {
    key: `cpu${depth}`,
    title: `${over}, CPU per call, ${depth} in flight`,
    unit: 'µs',
    target: atMost === undefined ? undefined : { atMost },
  }
}

/**
 * @param {string} over
 * @param {number} depth
 */
function everythingRow(over, depth) {
  return {
    ...cpuRow(over, depth, 1.1),
    title: `${over}, every feature in use, CPU per call, ${depth} in flight`,
  }
}

/**
 * The bridge in front of the client: look-up, rules, journal.
 *
 * @param {string} over
 * @param {number} depth
 */
function bridgeRow(over, depth) {
  return {
    ...cpuRow(over, depth, 1.15),
    title: `${over}, through the bridge, CPU per call, ${depth} in flight`,
  }
}

/**
 * The bridge with a journal in a file, hooks, telemetry and redaction, compared with a bridge whose journal only
 * counts.
 *
 * @param {string} over
 * @param {number} depth
 */
function observedRow(over, depth) {
  return {
    ...cpuRow(over, depth),
    title: `${over}, through the bridge with everything listening, CPU per call, ${depth} in flight`,
  }
}

/** @param {import('../rounds.mjs').Job} job */
export async function sample(job) {
  const kind = 'command' in job.server ? 'stdio' : 'http'
  const times = job.isAmongUs ? timesMore[kind] : once
  const connection = await connect(job.client, job.server)
  const call = () => connection.call('echo', { text })
  expectEqual((await call()).content[0].text, text, 'the echo')
  const limits = job.isAmongUs ? undefined : withinMs
  await keepInFlight(1, times.warmUp * warmUp[kind][1], call, limits?.warmUp)
  await keepInFlight(16, times.warmUp * warmUp[kind][16], call, limits?.warmUp)
  const values = /** @type {Record<string, number>} */ ({})
  for (const depth of /** @type {const} */ ([1, 16, 256])) {
    await keepInFlight(depth, job.isAmongUs ? settling[kind][depth] : depth * 2, call)
    const count = (times.measured * measured[kind][depth]) / (job.isQuick ? 4 : 1)
    const { cpuMicros, perSecond } = await costOf(depth, count, call, limits?.measured)
    values[`cpu${depth}`] = cpuMicros
    values[`perSecond${depth}`] = perSecond
  }
  await connection.close()
  return values
}
