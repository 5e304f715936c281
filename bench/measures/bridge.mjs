/** The bridge with many servers: start-up, isolation of faults, and the catalog. */
import { localAuthority, openBridge } from '@toolbridge/bridge'
import { connect } from '../clients/clients.mjs'
import { costOf, expectEqual } from '../load.mjs'

/**
 * @typedef {import('../rounds.mjs').Measure} Measure
 * @typedef {import('../rounds.mjs').Job} Job
 * @typedef {import('@toolbridge/bridge').Bridge} Bridge
 * @typedef {import('@toolbridge/bridge').ServerSpec} ServerSpec
 */

const serverCount = 50
const toolsOfEach = 200

/** @type {Measure[]} */
export const measures = [
  {
    name: 'bridge-start-50',
    module: 'bridge',
    server: { kind: 'stdio' },
    maxRounds: 8,
    isPinned: false,
    clients: ['raw', 'bridge'],
    rows: [
      { key: 'readyMs', title: '50 stdio servers started and listed', unit: 'ms', target: { atMost: 1.2 } },
    ],
  },
  {
    name: 'bridge-faults',
    module: 'bridge',
    server: { kind: 'stdio' },
    maxRounds: 8,
    isPinned: false,
    clients: ['without-faults', 'with-faults'],
    rows: [
      {
        key: 'medianMs',
        title: 'healthy calls while others are killed, hang, flood and flap, median',
        unit: 'ms',
        target: { atMost: 1.25 },
      },
    ],
  },
  {
    name: 'bridge-catalog',
    module: 'bridge',
    server: { kind: 'http', args: ['--tools', String(toolsOfEach)] },
    maxRounds: 8,
    isPinned: false,
    clients: ['toolbridge', 'bridge'],
    phases: [
      // The first ones include compilation.
      { name: 'build', warmUps: 2, slices: 4 },
      { name: 'search', warmUps: 0, slices: 1 },
    ],
    rows: [
      {
        key: 'cpuMs',
        title: 'catalog of 10,000 tools of 50 servers, CPU (base: listing them)',
        unit: 'ms',
        target: { atMost: 1.5 },
      },
      { key: 'searchMs', title: 'search among 10,000 tools, median', unit: 'ms', target: { value: 5 } },
    ],
  },
]

/** @param {Job} job */
export function sample(job) {
  return job.name === 'bridge-start-50' ? start(job) : faults(job)
}

/** The environment that the bridge passes to a server. A larger one makes Node start more slowly. */
const inherited = ['HOME', 'LANG', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER']

/** @param {Job} job */
async function start(job) {
  for (const name of Object.keys(process.env)) if (!inherited.includes(name)) delete process.env[name]
  const startedAt = performance.now()
  const close = job.client === 'bridge' ? await startBridge(job) : await startAlone(job)
  const readyMs = performance.now() - startedAt
  await close()
  return { readyMs }
}

/** @param {Job} job */
async function startBridge(job) {
  const bridge = await openBridge({ ...options, servers: specs(job, serverCount) })
  expectReady(bridge, serverCount)
  return () => bridge.close()
}

/** @param {Job} job */
async function startAlone(job) {
  const opening = Array.from({ length: serverCount }, async () => {
    const connection = await connect(job.client, job.server)
    // Keeps the tools, as a caller would.
    return { connection, tools: await connection.listTools() }
  })
  const opened = await Promise.all(opening)
  return () => Promise.all(opened.map(({ connection }) => connection.close()))
}

const callers = 8
const healthy = 4
const durationMs = { quick: 1_000, whole: 1_500 }
/** Repetitions of each fault. */
const everyMs = 400

/** @param {Job} job */
async function faults(job) {
  const bridge = await openBridge({
    ...options,
    servers: specs(job, healthy + 4),
    keepAliveMs: 200,
    callTimeoutMs: 1_000,
    restarts: { maxRestarts: 10_000, firstDelayMs: 100, maxDelayMs: 400 },
  })
  expectReady(bridge, healthy + 4)
  const endsAt = performance.now() + (job.isQuick ? durationMs.quick : durationMs.whole)
  const strikes = job.client === 'with-faults' ? setInterval(() => strike(bridge), everyMs) : undefined
  const lanes = Array.from({ length: callers }, (_, caller) => callUntil(bridge, caller, endsAt))
  const latencies = (await Promise.all(lanes)).flat()
  clearInterval(strikes)
  await bridge.close()
  return { medianMs: medianOf(latencies) }
}

/** @param {Bridge} bridge */
function strike(bridge) {
  const signals = /** @type {const} */ ([
    [healthy, 'SIGKILL'],
    [healthy + 1, 'SIGSTOP'],
    [healthy + 2, 'SIGTERM'],
  ])
  for (const [index, signal] of signals) {
    const { pid } = bridge.status()[index] ?? {}
    if (pid !== undefined) process.kill(pid, signal)
  }
  bridge.call(`${nameOf(healthy + 3)}__flood`, { count: 2_000, text: '' }).catch(() => undefined)
}

/**
 * @param {Bridge} bridge
 * @param {number} caller
 * @param {number} endsAt
 */
async function callUntil(bridge, caller, endsAt) {
  const latencies = /** @type {number[]} */ ([])
  for (let startedAt = performance.now(); startedAt < endsAt; ) {
    await bridge.call(`${nameOf((caller + latencies.length) % healthy)}__echo`, { text: 'x' })
    const now = performance.now()
    latencies.push(now - startedAt)
    startedAt = now
  }
  return latencies
}

/**
 * The catalog.
 *
 * @param {Job} job
 * @returns {Promise<import('../rounds.mjs').Opened>}
 */
export async function open(job) {
  const isBridge = job.client === 'bridge'
  const build = () => (isBridge ? buildCatalog(job) : listAlone(job))
  return {
    async take(phase) {
      if (phase === 'build') return { cpuMs: (await costOf(1, 1, build)).cpuMicros / 1000 }
      return isBridge ? { searchMs: await searchTime(job) } : {}
    },
    async close() {},
  }
}

/** @param {Job} job */
async function buildCatalog(job) {
  const bridge = await openBridge({ ...options, servers: specs(job, serverCount) })
  expectEqual(bridge.tools.length, serverCount * toolsOfEach, 'the number of tools')
  await bridge.close()
}

/** @param {Job} job */
async function listAlone(job) {
  const close = await startAlone(job)
  await close()
}

const searches = 200

/** @param {Job} job */
async function searchTime(job) {
  const bridge = await openBridge({ ...options, servers: specs(job, serverCount) })
  bridge.searchTools('first of all the index is built')
  const times = Array.from({ length: searches }, (_, index) => {
    const startedAt = performance.now()
    bridge.searchTools(`tool number ${index} of the benchmark ${nameOf(index % serverCount)}`)
    return performance.now() - startedAt
  })
  await bridge.close()
  return medianOf(times)
}

const options = { authority: localAuthority(), permissions: /** @type {const} */ ({ mode: 'allow' }) }

/**
 * @param {Job} job
 * @param {number} count
 * @returns {ServerSpec[]}
 */
function specs({ server }, count) {
  return Array.from({ length: count }, (_, index) => {
    const source = { file: 'bench', pointer: '' }
    const commons = { name: nameOf(index), enabled: true, required: false, source }
    return 'command' in server
      ? { ...commons, transport: 'stdio', command: server.command, args: server.args, env: {} }
      : { ...commons, transport: 'http', url: server.urls[0] ?? '', headers: {} }
  })
}

/** @param {number} index */
function nameOf(index) {
  return `s${String(index).padStart(2, '0')}`
}

/**
 * @param {Bridge} bridge
 * @param {number} count
 */
function expectReady(bridge, count) {
  expectEqual(
    bridge.status().filter(({ state }) => state === 'ready').length,
    count,
    'the servers that are ready',
  )
}

/** @param {readonly number[]} numbers */
function medianOf(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}
