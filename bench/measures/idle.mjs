/** What a connection keeps on the heap while nothing happens on it. */
import { connect } from '../clients/clients.mjs'

const nodeOptions = ['--expose-gc']

/** Opened at once after a first one, which pays for what is loaded with it. */
const connectionCount = 50

/** @type {import('../rounds.mjs').Measure[]} */
export const measures = [
  {
    name: 'idle-stdio',
    module: 'idle',
    server: { kind: 'stdio' },
    rounds: 3,
    isPinned: false,
    nodeOptions,
    rows: [
      { key: 'kilobytes', title: 'heap per idle connection, stdio', unit: 'KB', target: { atMost: 1.5 } },
    ],
  },
  {
    name: 'idle-http',
    module: 'idle',
    server: { kind: 'http', args: ['--ports', String(connectionCount + 1)] },
    rounds: 3,
    isPinned: false,
    nodeOptions,
    rows: [
      { key: 'kilobytes', title: 'heap per idle connection, HTTP', unit: 'KB', target: { atMost: 1.5 } },
    ],
  },
]

/** @param {import('../rounds.mjs').Job} job */
export async function sample(job) {
  const [first, ...others] = targetsOf(job.server)
  if (first === undefined) throw new Error('there is no server to connect to')
  const connections = [await connect(job.client, first)]
  const before = await settledHeap()
  connections.push(...(await Promise.all(others.map((target) => connect(job.client, target)))))
  const grownBy = (await settledHeap()) - before
  await Promise.allSettled(connections.map((connection) => connection.close()))
  return { kilobytes: grownBy / others.length / 1024 }
}

/**
 * A server of its own for each connection: a process, or a port.
 *
 * @param {import('../rounds.mjs').ServerAddress} server
 * @returns {import('../rounds.mjs').ServerAddress[]}
 */
function targetsOf(server) {
  return 'command' in server
    ? Array.from({ length: connectionCount + 1 }, () => server)
    : server.urls.map((url) => ({ urls: [url] }))
}

/**
 * The heap after everything that can be collected has been: the least of several looks, since some clients finish
 * opening in the background and a look may fall into an allocation of Node's own.
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
