/** The gateway: tool calls of an MCP host, its idle sessions, and workflows. */
import { Agent, request } from 'node:http'
import { setTimeout as after } from 'node:timers/promises'
import { connect } from '../clients/clients.mjs'
import { connectHttp } from '../clients/raw.mjs'
import { openFront } from '../fronts/fronts.mjs'
import { costOf, expectEqual, keepInFlight } from '../load.mjs'

/**
 * @typedef {import('../rounds.mjs').Measure} Measure
 * @typedef {import('../rounds.mjs').Job} Job
 * @typedef {import('../rounds.mjs').Opened} Opened
 * @typedef {import('../fronts/fronts.mjs').Front} Front
 */

const text = 'The quick brown fox jumps over the lazy dog, again and again.'
const depths = /** @type {const} */ ([1, 16])
/** V8 optimizes what a front does for a call until it made some thousands of them, and again with more calls in flight. */
const phases = depths.map((depth) => ({ name: String(depth), warmUps: 16, slices: 6 }))
/** Several batches of activity. */
const callsPerSlice = 400
/** Limit for a slow peer. */
const withinMs = 2_000
/** Longer than the gateway keeps activity in memory: what a slice caused is part of it. */
const settleMs = 300
const sessionCount = 2_000

/** @type {Measure[]} */
export const measures = [
  {
    name: 'gateway-calls',
    module: 'gateway',
    server: { kind: 'stdio' },
    maxRounds: 7,
    isPinned: true,
    clients: ['official', 'gateway', 'mcp-proxy', 'supergateway'],
    phases,
    rows: depths.map((depth) => ({
      key: `cpu${depth}`,
      title: `tool call through the gateway, CPU, ${depth} in flight (base: official server + our client)`,
      unit: 'µs',
      target: { atMost: 1.3, lessThan: ['mcp-proxy', 'supergateway'] },
    })),
  },
  {
    name: 'gateway-sessions',
    module: 'gateway',
    server: { kind: 'stdio' },
    maxRounds: 5,
    isPinned: false,
    nodeOptions: ['--expose-gc'],
    clients: ['official', 'gateway'],
    rows: [
      {
        key: 'megabytes',
        title: 'memory with 2,000 idle MCP sessions (base: official server)',
        unit: 'MB',
        target: { atMost: 1.5 },
      },
      { key: 'kilobytes', title: 'memory that an idle MCP session adds', unit: 'KB' },
    ],
  },
  {
    name: 'gateway-invoke',
    module: 'gateway',
    server: { kind: 'stdio' },
    maxRounds: 7,
    isPinned: true,
    clients: ['call', 'invoke'],
    phases,
    rows: depths.map((depth) => ({
      key: `cpu${depth}`,
      title: `warm workflow of one call, CPU, ${depth} in flight (base: the call itself)`,
      unit: 'µs',
      target: { atMost: 1.5 },
    })),
  },
]

/**
 * @param {Job} job
 * @returns {Promise<Opened>}
 */
export function open(job) {
  return job.name === 'gateway-invoke' ? openApi(job) : openHost(job)
}

/**
 * A host that calls a tool through a front.
 *
 * @param {Job} job
 * @returns {Promise<Opened>}
 */
async function openHost({ client, server }) {
  const front = await openFront(client, server)
  const host = await connectHttp(front.url, front.headers)
  const call = () => host.call(client === 'gateway' ? 'bench__echo' : 'echo', { text })
  expectEqual((await call()).content[0].text, text, 'the echo')
  const upstream = client === 'official' ? await connect('toolbridge', server) : undefined
  return {
    async take(phase) {
      const ofFront = await costOfFront(front, Number(phase), call)
      const ofClient = upstream === undefined ? 0 : await costOfClient(upstream, Number(phase))
      return { [`cpu${phase}`]: ofFront + ofClient }
    },
    async close() {
      await Promise.all([host.close(), upstream?.close(), front.close()])
    },
  }
}

/**
 * A caller of the gateway's API: of a tool, or of a workflow that calls it.
 *
 * @param {Job} job
 * @returns {Promise<Opened>}
 */
async function openApi({ client, server }) {
  const front = await openFront('gateway', server)
  const agent = new Agent({ keepAlive: true })
  const tool = 'bench__echo'
  const call =
    client === 'call'
      ? () => post(front, agent, '/api/tools/call', { tool, arguments: { text } })
      : () => post(front, agent, '/api/workflow/invoke', workflowOf({ tool, arguments: { text } }))
  const first = await call()
  expectEqual((first.nodes?.[0]?.result ?? first).content[0].text, text, 'the echo')
  return {
    take: async (phase) => ({ [`cpu${phase}`]: await costOfFront(front, Number(phase), call) }),
    async close() {
      agent.destroy()
      await front.close()
    },
  }
}

/** @param {{ tool: string, arguments: object }} node */
function workflowOf(node) {
  return { workflowId: 'bench', nodes: [{ kind: 'tool', id: 'echo', ...node }] }
}

/**
 * @param {Front} front
 * @param {Agent} agent
 * @param {string} path
 * @param {object} body
 * @returns {Promise<any>}
 */
function post({ url, apiHeaders }, agent, path, body) {
  const text = JSON.stringify(body)
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...apiHeaders,
  }
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, url), { agent, method: 'POST', headers }, (response) => {
      let answer = ''
      response.setEncoding('utf8').on('data', (chunk) => (answer += chunk))
      response.on('end', () => resolve(JSON.parse(answer)))
    })
    sent.on('error', reject).end(text)
  })
}

/**
 * CPU time of a front for a call, in microseconds.
 *
 * @param {Front} front
 * @param {number} depth
 * @param {() => Promise<unknown>} call
 */
async function costOfFront(front, depth, call) {
  const before = await front.usage()
  const made = await keepInFlight(depth, callsPerSlice, call, withinMs)
  await after(settleMs)
  const { cpuMicros } = await front.usage()
  return (cpuMicros - before.cpuMicros) / made
}

/**
 * What our client uses for a call of the upstream: the other half of what a gateway does.
 *
 * @param {import('../clients/clients.mjs').Connection} upstream
 * @param {number} depth
 */
async function costOfClient(upstream, depth) {
  const { cpuMicros } = await costOf(depth, callsPerSlice, () => upstream.call('echo', { text }))
  return cpuMicros
}

/**
 * Memory of a front with idle sessions, each of a host with an open listening stream.
 *
 * @param {Job} job
 */
export async function sample({ client, server }) {
  const front = await openFront(client, server)
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  await openSession(front, agent)
  const before = await front.usage()
  const open = () => openSession(front, agent)
  await keepInFlight(16, sessionCount, open)
  await after(settleMs)
  const { rssBytes } = await front.usage()
  await front.close()
  return {
    megabytes: rssBytes / 1024 / 1024,
    kilobytes: (rssBytes - before.rssBytes) / sessionCount / 1024,
  }
}

/**
 * Begins a session and its listening stream, which stays open.
 *
 * @param {Front} front
 * @param {Agent} agent
 */
async function openSession({ url, headers }, agent) {
  const { session } = await connectHttp(url, headers, agent)
  const listening = { ...headers, accept: 'text/event-stream', 'mcp-session-id': session ?? '' }
  await new Promise((resolve, reject) => {
    const stream = request(url, { agent: false, headers: listening }, (response) => {
      expectEqual(response.statusCode, 200, 'the status of the listening stream')
      resolve(response.on('error', () => {}).resume())
    })
    stream.on('error', reject).end()
  })
}
