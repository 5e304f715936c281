/** Many small calls: sequential, as from an agent, and concurrent, as from a gateway. */
import { connect } from '../clients/clients.mjs'
import { costOf, expectEqual } from '../load.mjs'

/** @typedef {import('../rounds.mjs').Measure} Measure */

const text = 'The quick brown fox jumps over the lazy dog, again and again.'
/** Calls of a slice, by depth: about 50 ms of a fast client. */
const callsPerSlice = {
  stdio: { 1: 1500, 16: 5000, 256: 6000 },
  http: { 1: 300, 16: 400, 256: 512 },
}
/** Limit for a very slow peer. A lower one would end the slices of a busy machine before the code is compiled. */
const withinMs = 400
const depths = /** @type {const} */ ([1, 16, 256])
/** Slices until the code is compiled. HTTP makes fewer calls per slice and runs more code of Node's. */
const warmUps = { stdio: { 1: 14, 16: 12, 256: 8 }, http: { 1: 24, 16: 12, 256: 8 } }
const slices = 8

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
    rows: [cpuRow('HTTP JSON', 1, 1.15), cpuRow('HTTP JSON', 16, 1.15), cpuRow('HTTP JSON', 256, 1.15)],
  },
  {
    ...callMeasure('http-sse-calls', { kind: 'http', args: ['--sse'] }),
    rows: [cpuRow('HTTP SSE', 1, 1.2), cpuRow('HTTP SSE', 16, 1.2), cpuRow('HTTP SSE', 256, 1.2)],
  },
  {
    ...callMeasure('everything-stdio', { kind: 'stdio' }),
    clients: ['toolbridge', 'toolbridge-everything'],
    rows: [everythingRow('stdio', 1), everythingRow('stdio', 16), everythingRow('stdio', 256)],
  },
  {
    ...callMeasure('everything-http', { kind: 'http' }),
    clients: ['toolbridge', 'toolbridge-everything'],
    rows: [everythingRow('HTTP JSON', 1), everythingRow('HTTP JSON', 16), everythingRow('HTTP JSON', 256)],
  },
  {
    ...callMeasure('bridge-stdio-calls', { kind: 'stdio' }),
    clients: ['toolbridge', 'bridge'],
    rows: [bridgeRow('stdio', 1), bridgeRow('stdio', 16), bridgeRow('stdio', 256)],
  },
  {
    ...callMeasure('bridge-http-calls', { kind: 'http' }),
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
 * @param {{ kind: 'stdio' | 'http', args?: readonly string[] }} server
 */
function callMeasure(name, server) {
  const phases = depths.map((depth) => ({
    name: String(depth),
    warmUps: warmUps[server.kind][depth],
    slices,
  }))
  return { name, module: 'calls', server, maxRounds: 8, isPinned: true, phases }
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

/**
 * @param {import('../rounds.mjs').Job} job
 * @returns {Promise<import('../rounds.mjs').Opened>}
 */
export async function open(job) {
  const calls = callsPerSlice['command' in job.server ? 'stdio' : 'http']
  const connection = await connect(job.client, job.server)
  const call = () => connection.call('echo', { text })
  expectEqual((await call()).content[0].text, text, 'the echo')
  return {
    async take(phase) {
      const depth = depths.find((one) => phase === String(one)) ?? 1
      const { cpuMicros, perSecond } = await costOf(depth, calls[depth], call, withinMs)
      return { [`cpu${depth}`]: cpuMicros, [`perSecond${depth}`]: perSecond }
    },
    close: () => connection.close(),
  }
}
