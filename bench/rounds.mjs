/**
 * Takes the rounds of a measure until its ratios are known. In a round, every client has new processes, and their slices
 * are taken alternately.
 *
 * @typedef {{ atMost: number, lessThan?: readonly string[] } | { atLeast: number } | { value: number }} Target
 *   Target of the subject: a ratio to the base, or a value. It must be less than that of each peer in `lessThan`, which take
 *   part in every round.
 * @typedef {{ key: string, title: string, unit: string, target?: Target | undefined }} Row Without a target, for information only.
 * @typedef {{ kind: 'none' } | { kind: 'sessions' } | { kind: 'stdio' | 'http', args?: readonly string[] }} ServerNeed
 *   `sessions` is a small one over stdio, for many connections.
 * @typedef {{ command: string, args: readonly string[] } | { urls: readonly string[] }} ServerAddress
 * @typedef {import('./slices.mjs').Slice} Slice
 * @typedef {import('./slices.mjs').Sample} Sample
 * @typedef {ReadonlyMap<string, Sample>} Round The samples by client.
 * @typedef {{ client: string, error: string }} Failure
 *
 * @typedef {object} Measure
 * @property {string} name
 * @property {string} module The file in `measures` that measures it.
 * @property {ServerNeed} server
 * @property {number} maxRounds
 * @property {boolean} isPinned Whether client and server share one core.
 * @property {readonly Phase[]} [phases] Of processes that stay for a round; the module exports `open`. Default: a new
 *   process for each slice; the module exports `sample`.
 * @property {number} [slices] Slices per round, without phases. Default: 1.
 * @property {readonly string[]} [nodeOptions]
 * @property {readonly string[]} [clients] The base first, the subject second. Default: all clients.
 * @property {readonly Row[]} rows
 *
 * @typedef {object} Phase
 * @property {string} name
 * @property {number} warmUps Slices that are not counted.
 * @property {number} slices
 *
 * @typedef {object} Opened A client of a measure with phases.
 * @property {(phase: string) => Promise<Slice>} take
 * @property {() => Promise<void>} close
 *
 * @typedef {object} Job Parameters of a process.
 * @property {string} name The measure.
 * @property {string} module
 * @property {string} client
 * @property {ServerAddress} server
 * @property {boolean} hasPhases
 * @property {boolean} isQuick
 * @property {number} spawnedAt Start time of the process, in milliseconds since the epoch.
 *
 * @typedef {object} Conditions
 * @property {number | undefined} core
 * @property {number | undefined} rounds Number of rounds of every measure. Default: until its ratios are known.
 * @property {boolean} isQuick
 * @property {string | undefined} profiles The folder for CPU profiles.
 * @property {string | undefined} against Another checkout, whose subject is the client `before`.
 *
 * @typedef {object} Plan What the processes of a round have in common.
 * @property {Measure} measure
 * @property {Conditions} conditions
 * @property {ServerAddress} server
 * @property {(client: string, error: unknown) => void} onFailure
 */
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rootEntries } from './clients/clients.mjs'
import { isSettled } from './precision.mjs'
import { endGroup, runNode, startNode, startWorker } from './processes.mjs'
import { interleaved, sampleOf } from './slices.mjs'

const sampleTimeoutMs = 120_000
const quickRounds = 2
const quickSlices = 3
/** Peers are several times slower than the subject, which the slices of one round show. */
const peerRounds = 1
const sampleProgram = fileURLToPath(new URL('sample.mjs', import.meta.url))
const stdioServer = fileURLToPath(new URL('servers/stdio.mjs', import.meta.url))
const sessionServer = fileURLToPath(new URL('servers/sessions.sh', import.meta.url))
const httpServer = fileURLToPath(new URL('servers/http.mjs', import.meta.url))

/** The subject of a measure as another checkout has it. */
export const before = 'before'

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
  const rounds = /** @type {Round[]} */ ([])
  const failures = /** @type {Failure[]} */ ([])
  const onFailure = (/** @type {string} */ client, /** @type {unknown} */ error) => {
    failures.push({ client, error: error instanceof Error ? error.message : String(error) })
  }
  const server = await openServer(measure.server, measure.isPinned ? conditions.core : undefined)
  const plan = { measure, conditions, server: server.address, onFailure }
  const takeRound = measure.phases === undefined ? takeSamples : takePhases
  try {
    while (!isDone(measure, rounds, conditions))
      rounds.push(await takeRound(plan, clientsIn(measure, rounds.length)))
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
 * The clients of a round. Base and subject are adjacent; each is the first in every other round.
 *
 * @param {Measure} measure
 * @param {number} number
 */
function clientsIn(measure, number) {
  const all = clientsOf(measure)
  const rivals = measure.rows.flatMap(({ target }) => rivalsIn(target))
  const clients =
    number < peerRounds ? all : all.filter((client, index) => index < 2 || rivals.includes(client))
  return number % 2 === 0 ? clients : clients.toReversed()
}

/**
 * The peers that a target names.
 *
 * @param {Target | undefined} target
 */
export function rivalsIn(target) {
  return target !== undefined && 'atMost' in target ? (target.lessThan ?? []) : []
}

/**
 * Takes the slices of a round in one process per client, phase by phase.
 *
 * @param {Plan} plan
 * @param {readonly string[]} clients
 * @returns {Promise<Round>}
 */
async function takePhases(plan, clients) {
  const round = /** @type {Map<string, Sample>} */ (new Map())
  const workers = await startWorkers(plan, clients)
  try {
    for (const { name, warmUps, slices } of plan.measure.phases ?? []) {
      const count = warmUps + (plan.conditions.isQuick ? Math.min(slices, quickSlices) : slices)
      const ask = async (/** @type {string} */ client) => workers.get(client)?.ask(name)
      const taken = await interleaved([...workers.keys()], count, ask, plan.onFailure)
      for (const [client, all] of taken)
        round.set(client, { ...round.get(client), ...sampleOf(all.slice(warmUps)) })
    }
  } finally {
    await Promise.all([...workers.values()].map((worker) => worker.close()))
  }
  return round
}

/**
 * @param {Plan} plan
 * @param {readonly string[]} clients
 */
async function startWorkers(plan, clients) {
  const workers = /** @type {Map<string, Awaited<ReturnType<typeof startWorker>>>} */ (new Map())
  for (const client of clients) {
    try {
      workers.set(client, await startWorker(argumentsOf(plan, client), limitsOf(plan)))
    } catch (error) {
      plan.onFailure(client, error)
    }
  }
  return workers
}

/**
 * Takes every slice of a round in a new process.
 *
 * @param {Plan} plan
 * @param {readonly string[]} clients
 * @returns {Promise<Round>}
 */
async function takeSamples(plan, clients) {
  const count = plan.conditions.isQuick ? 1 : (plan.measure.slices ?? 1)
  const take = async (/** @type {string} */ client) =>
    JSON.parse(await runNode(argumentsOf(plan, client), limitsOf(plan)))
  const taken = await interleaved(clients, count, take, plan.onFailure)
  return new Map([...taken].map(([client, slices]) => [client, sampleOf(slices)]))
}

/**
 * Arguments of Node for a process of the client.
 *
 * @param {Plan} plan
 * @param {string} client
 */
function argumentsOf({ measure, conditions: { isQuick, profiles, against }, server }, client) {
  const { name, module, nodeOptions = [] } = measure
  const profile = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}/${name}/${client}`]
  const spawnedAt = performance.timeOrigin + performance.now()
  const hasPhases = measure.phases !== undefined
  const job = { name, module, client, server, hasPhases, isQuick, spawnedAt }
  if (client !== before || against === undefined)
    return [...nodeOptions, ...profile, sampleProgram, JSON.stringify(job)]
  const [, subject] = clientsOf(measure)
  const program = join(against, 'bench', 'sample.mjs')
  return [...nodeOptions, ...profile, program, JSON.stringify({ ...job, client: subject })]
}

/** @param {Plan} plan */
function limitsOf({ measure, conditions }) {
  return { core: measure.isPinned ? conditions.core : undefined, timeoutMs: sampleTimeoutMs }
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
  if (need.kind === 'sessions') return { address: { command: 'sh', args: [sessionServer] }, close() {} }
  const args = need.args ?? []
  if (need.kind === 'stdio') {
    return { address: { command: process.execPath, args: [stdioServer, ...args] }, close() {} }
  }
  const child = startNode([httpServer, ...args], core)
  child.stderr.pipe(process.stderr)
  const [line] = await once(child.stdout, 'data')
  return { address: { urls: JSON.parse(line) }, close: () => endGroup(child.pid) }
}
