/** Code that calls tools: its calls, its start, and the event loop of the host while hostile code runs. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as after } from 'node:timers/promises'
import { localAuthority, openBridge } from '@toolbridge/bridge'
import { agentTools } from '@toolbridge/bridge/agent-tool'
import { createCodeRunner } from '@toolbridge/bridge/code'
import { expectEqual } from '../load.mjs'
import { median } from '../precision.mjs'

/**
 * @typedef {import('../rounds.mjs').Measure} Measure
 * @typedef {import('../rounds.mjs').Job} Job
 */

/** @type {Measure[]} */
export const measures = [
  {
    name: 'code-calls',
    module: 'code',
    server: { kind: 'stdio' },
    maxRounds: 8,
    isPinned: false,
    clients: ['bridge', 'code'],
    phases: [{ name: 'calls', warmUps: 1, slices: 4 }],
    rows: [
      { key: 'callMs', title: 'call from code (base: bridge.call)', unit: 'ms' },
      {
        key: 'overheadMs',
        title: 'call from code, beyond bridge.call',
        unit: 'ms',
        target: { value: 1 },
      },
    ],
  },
  {
    name: 'code-start',
    module: 'code',
    server: { kind: 'none' },
    maxRounds: 5,
    isPinned: false,
    clients: ['cold', 'warm'],
    rows: [
      {
        key: 'startMs',
        title: 'start of code, to its first call, with a worker that is ready (base: without)',
        unit: 'ms',
        target: { value: 10 },
      },
    ],
  },
  {
    name: 'code-hostile',
    module: 'code',
    server: { kind: 'none' },
    maxRounds: 5,
    isPinned: false,
    clients: ['idle', 'hostile'],
    rows: [
      {
        key: 'delayMs',
        title: 'highest delay of the event loop while hostile code runs (base: no code)',
        unit: 'ms',
        target: { value: 100 },
      },
    ],
  },
]

const callsPerSlice = 500

/**
 * @param {Job} job
 * @returns {Promise<import('../rounds.mjs').Opened>}
 */
export async function open(job) {
  const { server } = job
  if (!('command' in server)) throw new TypeError('the measure needs a program')
  const bridge = await openBridge({
    authority: localAuthority(),
    permissions: { mode: 'allow' },
    servers: { bench: { command: server.command, args: [...server.args] } },
  })
  const runner = createCodeRunner({ limits: { calls: callsPerSlice } })
  const direct = () => timeOf(() => callOneByOne(bridge))
  const byCode = () => timeOf(() => callFromCode(bridge, runner))
  return {
    async take() {
      const directMs = await direct()
      if (job.client === 'bridge') return { callMs: directMs / callsPerSlice }
      const codeMs = await byCode()
      return { callMs: codeMs / callsPerSlice, overheadMs: (codeMs - directMs) / callsPerSlice }
    },
    async close() {
      await Promise.all([bridge.close(), runner.close()])
    },
  }
}

/** @param {import('@toolbridge/bridge').Bridge} bridge */
async function callOneByOne(bridge) {
  for (let made = 0; made < callsPerSlice; made += 1) await bridge.call('bench__echo', { text: 'x' })
}

/**
 * @param {import('@toolbridge/bridge').Bridge} bridge
 * @param {import('@toolbridge/bridge/code').CodeRunner} runner
 */
async function callFromCode(bridge, runner) {
  const [runCode] = agentTools(bridge, { code: { runner } })
  const code = `let made = 0
    while (made < ${callsPerSlice}) { await tools.bench__echo({ text: 'x' }); made += 1 }
    return made`
  expectEqual(await runCode?.execute({ code }), String(callsPerSlice), 'the calls of the code')
}

/** @param {Job} job */
export function sample(job) {
  return job.name === 'code-start' ? start(job) : delay(job)
}

/** Long enough for the next worker to be ready. */
const readyMs = 500
const warmStarts = 5

/** @param {Job} job */
async function start({ client }) {
  const runner = createCodeRunner()
  const cold = await startOf(runner)
  const times = client === 'cold' ? [cold] : await warmTimes(runner)
  await runner.close()
  return { startMs: median(times) ?? 0 }
}

/** @param {import('@toolbridge/bridge/code').CodeRunner} runner */
async function warmTimes(runner) {
  const times = []
  while (times.length < warmStarts) {
    await after(readyMs)
    times.push(await startOf(runner))
  }
  return times
}

/**
 * The time until the code makes its first call.
 *
 * @param {import('@toolbridge/bridge/code').CodeRunner} runner
 */
async function startOf(runner) {
  let calledAt = 0
  const startedAt = performance.now()
  const call = async () => {
    calledAt = performance.now()
  }
  await runner.run({ code: 'await tools.first()', functions: ['first'], call })
  return calledAt - startedAt
}

const hostile = [
  'for (;;);',
  'for (;;) await 0',
  `'a'.repeat(5e6).indexOf('a'.repeat(2e6) + 'b')`,
  String.raw`/^(a+)+$/.test('a'.repeat(60) + 'b')`,
  'const all = []; for (;;) all.push(new Array(1000).fill(1))',
  'const f = () => f(); for (;;) try { f() } catch {}',
  `for (;;) console.log('x'.repeat(1000))`,
  'for (;;) await tools.any({ list: new Array(100000).fill(1) })',
  'await Promise.all(Array.from({ length: 200 }, () => tools.any({ text: "x".repeat(900000) })))',
]

/** @param {Job} job */
async function delay({ client }) {
  const timeoutMs = 500
  const runner = createCodeRunner({ limits: { timeoutMs } })
  const histogram = monitorEventLoopDelay({ resolution: 1 })
  const run = (/** @type {string} */ code) =>
    runner.run({ code, functions: ['any'], call: async () => 'x'.repeat(100_000) })
  histogram.enable()
  if (client === 'hostile') for (const code of hostile) await run(code)
  else await after(timeoutMs * hostile.length)
  histogram.disable()
  await runner.close()
  return { delayMs: histogram.max / 1e6 }
}

/** @param {() => Promise<void>} work */
async function timeOf(work) {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
