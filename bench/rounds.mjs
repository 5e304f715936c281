/**
 * Takes the samples of a measure: clients once per round, in rotating order, each in a new process, until its ratios are
 * known.
 *
 * @typedef {{ atMost: number } | { atLeast: number } | { value: number }} Target
 *   Target of the subject: a ratio to the base, or a value.
 * @typedef {{ key: string, title: string, unit: string, target?: Target | undefined }} Row Without a target, for information only.
 * @typedef {{ kind: 'none' } | { kind: 'stdio' | 'http', args?: readonly string[] }} ServerNeed
 * @typedef {{ command: string, args: readonly string[] } | { urls: readonly string[] }} ServerAddress
 * @typedef {Readonly<Record<string, number>>} Sample
 * @typedef {ReadonlyMap<string, Sample>} Round The samples by client.
 * @typedef {{ client: string, error: string }} Failure
 *
 * @typedef {object} Measure
 * @property {string} name
 * @property {string} module The file in `measures` that takes a sample of it.
 * @property {ServerNeed} server
 * @property {number} maxRounds
 * @property {boolean} isPinned Whether client and server share one core.
 * @property {readonly string[]} [nodeOptions]
 * @property {readonly string[]} [clients] The base first, the subject second. Default: all clients.
 * @property {readonly Row[]} rows
 *
 * @typedef {object} Job Parameters of a sample.
 * @property {string} name The measure.
 * @property {string} module
 * @property {string} client
 * @property {ServerAddress} server
 * @property {boolean} isQuick
 * @property {boolean} isAmongUs Whether the measure compares ways to use Toolbridge, without peers.
 * @property {number} spawnedAt Start time of the process, in milliseconds since the epoch.
 *
 * @typedef {object} Conditions
 * @property {number | undefined} core
 * @property {number | undefined} rounds Number of rounds of every measure. Default: until its ratios are known.
 * @property {boolean} isQuick
 * @property {string | undefined} profiles The folder for CPU profiles.
 */
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { rootEntries } from './clients/clients.mjs'
import { isSettled } from './precision.mjs'
import { endGroup, runNode, startNode } from './processes.mjs'

const sampleTimeoutMs = 120_000
const quickRounds = 2
/** Peers are several times slower than the subject, which three rounds show. */
const peerRounds = 3
const sampleProgram = fileURLToPath(new URL('sample.mjs', import.meta.url))
const stdioServer = fileURLToPath(new URL('servers/stdio.mjs', import.meta.url))
const httpServer = fileURLToPath(new URL('servers/http.mjs', import.meta.url))

/**
 * The clients of a measure, the base of its ratios first and its subject second.
 *
 * @param {Measure} measure
 */
export function clientsOf(measure) {
  return measure.clients ?? Object.keys(rootEntries)
}

/**
 * A client that fails is missing from the round and listed in the failures.
 *
 * @param {Measure} measure
 * @param {Conditions} conditions
 */
export async function takeRounds(measure, conditions) {
  const core = measure.isPinned ? conditions.core : undefined
  const server = await openServer(measure.server, core)
  const rounds = /** @type {Round[]} */ ([])
  const failures = /** @type {Failure[]} */ ([])
  try {
    // Warms up the server and the file cache for the first client.
    await takeSample(measure, clientsOf(measure)[0] ?? '', server.address, conditions).catch(() => {})
    while (!isDone(measure, rounds, conditions)) {
      const clients = rotated(clientsIn(measure, rounds.length), rounds.length)
      rounds.push(await takeRound(measure, clients, server.address, conditions, failures))
    }
  } finally {
    server.close()
  }
  return { rounds, failures }
}

/**
 * @param {Measure} measure
 * @param {readonly Round[]} taken
 * @param {Conditions} conditions
 */
function isDone(measure, taken, { rounds, isQuick }) {
  if (rounds !== undefined) return taken.length >= rounds
  const [base = '', subject = ''] = clientsOf(measure)
  const most = isQuick ? Math.min(measure.maxRounds, quickRounds) : measure.maxRounds
  return taken.length >= most || isSettled(measure.rows, taken, { base, subject })
}

/**
 * @param {Measure} measure
 * @param {number} number
 */
function clientsIn(measure, number) {
  return number < peerRounds ? clientsOf(measure) : clientsOf(measure).slice(0, 2)
}

/**
 * @param {readonly string[]} clients
 * @param {number} by
 */
function rotated(clients, by) {
  const start = by % clients.length
  return [...clients.slice(start), ...clients.slice(0, start)]
}

/**
 * @param {Measure} measure
 * @param {readonly string[]} clients
 * @param {ServerAddress} server
 * @param {Conditions} conditions
 * @param {Failure[]} failures
 * @returns {Promise<Round>}
 */
async function takeRound(measure, clients, server, conditions, failures) {
  const round = /** @type {Map<string, Sample>} */ (new Map())
  for (const client of clients) {
    try {
      round.set(client, await takeSample(measure, client, server, conditions))
    } catch (error) {
      failures.push({ client, error: error instanceof Error ? error.message : String(error) })
    }
  }
  return round
}

/**
 * @param {Measure} measure
 * @param {string} client
 * @param {ServerAddress} server
 * @param {Conditions} conditions
 * @returns {Promise<Sample>}
 */
async function takeSample(measure, client, server, { core, isQuick, profiles }) {
  const profile =
    profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}/${measure.name}/${client}`]
  const spawnedAt = performance.timeOrigin + performance.now()
  const { name, module } = measure
  const isAmongUs = measure.clients !== undefined && !measure.clients.includes('raw')
  const job = { name, module, client, server, isQuick, isAmongUs, spawnedAt }
  const args = [...(measure.nodeOptions ?? []), ...profile, sampleProgram, JSON.stringify(job)]
  const limits = { core: measure.isPinned ? core : undefined, timeoutMs: sampleTimeoutMs }
  return JSON.parse(await runNode(args, limits))
}

/**
 * A server over stdio is started by each client; one over HTTP serves the whole measure.
 *
 * @param {ServerNeed} need
 * @param {number | undefined} core
 * @returns {Promise<{ address: ServerAddress, close(): void }>}
 */
async function openServer(need, core) {
  if (need.kind === 'none') return { address: { urls: [] }, close() {} }
  const args = need.args ?? []
  if (need.kind === 'stdio') {
    return { address: { command: process.execPath, args: [stdioServer, ...args] }, close() {} }
  }
  const child = startNode([httpServer, ...args], core)
  child.stderr.pipe(process.stderr)
  const [line] = await once(child.stdout, 'data')
  return { address: { urls: JSON.parse(line) }, close: () => endGroup(child.pid) }
}
