/** What a connection keeps on the heap while nothing happens on it. */
import { connect } from '../clients/clients.mjs'

/** @type {import('../rounds.mjs').Measure[]} */
export const measures = [
  {
    name: 'idle-stdio',
    module: 'idle',
    server: { kind: 'stdio' },
    rounds: 3,
    isPinned: false,
    nodeOptions: ['--expose-gc'],
    rows: [
      { key: 'kilobytes', title: 'heap per idle connection, stdio', unit: 'KB', target: { atMost: 1.5 } },
    ],
  },
  {
    name: 'idle-http',
    module: 'idle',
    server: { kind: 'http', args: ['--ports', '51'] },
    rounds: 3,
    isPinned: false,
    nodeOptions: ['--expose-gc'],
    rows: [
      { key: 'kilobytes', title: 'heap per idle connection, HTTP', unit: 'KB', target: { atMost: 1.5 } },
    ],
  },
]

/** @param {import('../rounds.mjs').Job} job */
export async function sample(job) {
  // The first connection pays for what all of them share.
  const [first, ...rest] = targetsOf(job.server)
  const connections = first === undefined ? [] : [await openAndUse(job.client, first)]
  const before = await settledHeap()
  for (const target of rest) connections.push(await openAndUse(job.client, target))
  const grownBy = (await settledHeap()) - before
  await Promise.allSettled(connections.map((connection) => connection.close()))
  return { kilobytes: grownBy / rest.length / 1024 }
}

/**
 * A server of its own for each connection: 20 processes, or one for each port.
 *
 * @param {import('../rounds.mjs').ServerAddress} server
 * @returns {import('../rounds.mjs').ServerAddress[]}
 */
function targetsOf(server) {
  return 'command' in server
    ? Array.from({ length: 21 }, () => server)
    : server.urls.map((url) => ({ urls: [url] }))
}

/**
 * @param {string} client
 * @param {import('../rounds.mjs').ServerAddress} target
 */
async function openAndUse(client, target) {
  const connection = await connect(client, target)
  await connection.call('echo', { text: 'hello' })
  return connection
}

/** The heap after everything that can be collected has been; some clients finish opening in the background. */
async function settledHeap() {
  for (let turn = 0; turn < 4; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    globalThis.gc?.()
  }
  return process.memoryUsage().heapUsed
}
