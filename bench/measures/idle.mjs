/** What a connection keeps on the heap while nothing happens on it. */
import { connect } from '../clients/clients.mjs'

// Compiled code comes and goes on the same heap; without it the numbers repeat to the tenth of a kilobyte.
const nodeOptions = ['--expose-gc', '--no-opt', '--no-sparkplug', '--no-flush-bytecode']

/** @type {import('../rounds.mjs').Measure[]} */
export const measures = [
  {
    name: 'idle-stdio',
    module: 'idle',
    server: { kind: 'stdio' },
    rounds: 1,
    isPinned: false,
    nodeOptions,
    rows: [
      { key: 'kilobytes', title: 'heap per idle connection, stdio', unit: 'KB', target: { atMost: 1.5 } },
    ],
  },
  {
    name: 'idle-http',
    module: 'idle',
    server: { kind: 'http', args: ['--ports', '120'] },
    rounds: 1,
    isPinned: false,
    nodeOptions,
    rows: [
      { key: 'kilobytes', title: 'heap per idle connection, HTTP', unit: 'KB', target: { atMost: 1.5 } },
    ],
  },
]

/** @param {import('../rounds.mjs').Job} job */
export async function sample(job) {
  const targets = targetsOf(job.server)
  // The first ones pay for what all of them share, compiled code above all; after these the growth is steady.
  const shared = Math.ceil((targets.length * 2) / 3)
  const connections = await openAll(job.client, targets.slice(0, shared))
  const before = await settledHeap()
  connections.push(...(await openAll(job.client, targets.slice(shared))))
  const grownBy = (await settledHeap()) - before
  await Promise.allSettled(connections.map((connection) => connection.close()))
  return { kilobytes: grownBy / (targets.length - shared) / 1024 }
}

/**
 * A server of its own for each connection: a process, or a port.
 *
 * @param {import('../rounds.mjs').ServerAddress} server
 * @returns {import('../rounds.mjs').ServerAddress[]}
 */
function targetsOf(server) {
  return 'command' in server
    ? Array.from({ length: 24 }, () => server)
    : server.urls.map((url) => ({ urls: [url] }))
}

/**
 * @param {string} client
 * @param {readonly import('../rounds.mjs').ServerAddress[]} targets
 */
async function openAll(client, targets) {
  const connections = []
  for (const target of targets) {
    const connection = await connect(client, target)
    await connection.call('echo', { text: 'hello' })
    connections.push(connection)
  }
  return connections
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
