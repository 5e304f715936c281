/** Heap of an idle connection. */
import { connect } from '../clients/clients.mjs'

const nodeOptions = ['--expose-gc']

/**
 * Connections opened concurrently after a first one, which loads the code. Meanwhile V8 compiles the functions that open
 * a connection, and stores what it observed of them. The next connections add no more of it.
 */
const warmUpCount = 25

/** Connections opened after those, when the code is compiled: the heap of a connection. */
const connectionCount = 50

/** @type {import('../rounds.mjs').Measure[]} */
export const measures = [
  {
    name: 'idle-stdio',
    module: 'idle',
    server: { kind: 'sessions' },
    maxRounds: 7,
    isPinned: false,
    nodeOptions,
    rows: [...heapRows('stdio')],
  },
  {
    name: 'idle-http',
    module: 'idle',
    server: { kind: 'http', args: ['--ports', String(1 + warmUpCount + connectionCount)] },
    maxRounds: 7,
    isPinned: false,
    nodeOptions,
    rows: [...heapRows('HTTP')],
  },
]

/**
 * @param {string} over
 * @returns {import('../rounds.mjs').Row[]}
 */
function heapRows(over) {
  const target = { atMost: 1.5 }
  return [
    { key: 'kilobytes', title: `heap per idle connection, ${over}`, unit: 'KB', target },
    {
      key: 'warmUpKilobytes',
      title: `heap of the first ${warmUpCount} with compiled code, ${over}`,
      unit: 'KB',
    },
  ]
}

/** @param {import('../rounds.mjs').Job} job */
export async function sample(job) {
  const targets = targetsOf(job.server)
  const open = (/** @type {number} */ count) =>
    Promise.all(targets.splice(0, count).map((target) => connect(job.client, target)))
  const connections = await open(1)
  const atFirst = await settledHeap()
  connections.push(...(await open(warmUpCount)))
  const withWarmUp = await settledHeap()
  connections.push(...(await open(connectionCount)))
  const withAll = await settledHeap()
  await Promise.allSettled(connections.map((connection) => connection.close()))
  return {
    kilobytes: (withAll - withWarmUp) / connectionCount / 1024,
    warmUpKilobytes: (withWarmUp - atFirst) / 1024,
  }
}

/**
 * A separate server for each connection: a process, or a port.
 *
 * @param {import('../rounds.mjs').ServerAddress} server
 * @returns {import('../rounds.mjs').ServerAddress[]}
 */
function targetsOf(server) {
  return 'command' in server
    ? Array.from({ length: 1 + warmUpCount + connectionCount }, () => server)
    : server.urls.map((url) => ({ urls: [url] }))
}

/**
 * The heap after garbage collection: the minimum of several samples, because some clients finish opening in the
 * background, and a sample may coincide with an allocation of Node.
 */
async function settledHeap() {
  let least = Infinity
  for (let look = 0; look < 8; look++) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    globalThis.gc?.()
    least = Math.min(least, process.memoryUsage().heapUsed)
  }
  return least
}
