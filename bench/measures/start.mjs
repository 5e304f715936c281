/** Start-up: import of the library, and a whole process until the first result. */
import { connect, rootEntryOf } from '../clients/clients.mjs'

/** @type {import('../rounds.mjs').Measure[]} */
export const measures = [
  {
    name: 'import',
    module: 'start',
    server: { kind: 'none' },
    maxRounds: 8,
    slices: 3,
    isPinned: false,
    rows: [{ key: 'importMs', title: 'import of the root entry', unit: 'ms', target: { value: 10 } }],
  },
  {
    name: 'start-stdio',
    module: 'start',
    server: { kind: 'stdio' },
    maxRounds: 8,
    slices: 4,
    isPinned: false,
    rows: [
      { key: 'firstMs', title: 'process start to first result, stdio', unit: 'ms', target: { atMost: 1.25 } },
    ],
  },
  {
    name: 'start-http',
    module: 'start',
    server: { kind: 'http' },
    maxRounds: 8,
    slices: 4,
    isPinned: false,
    rows: [
      { key: 'firstMs', title: 'process start to first result, HTTP', unit: 'ms', target: { atMost: 1.25 } },
    ],
  },
]

/** @param {import('../rounds.mjs').Job} job */
export async function sample(job) {
  if (job.name === 'import') return { importMs: await importTime(job.client) }
  const connection = await connect(job.client, job.server)
  await connection.call('echo', { text: 'first' })
  const firstMs = performance.timeOrigin + performance.now() - job.spawnedAt
  await connection.close()
  return { firstMs }
}

/** @param {string} client */
async function importTime(client) {
  const entry = rootEntryOf(client)
  const startedAt = performance.now()
  await import(entry)
  return performance.now() - startedAt
}
