/** Saving settings with and without encryption, and its round trips to the database. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { register } from 'node:module'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { costOf } from '../load.mjs'

/** @typedef {import('@toolbridge/lockbox').Lockbox} Lockbox */

/** @type {import('../rounds.mjs').Measure[]} */
export const measures = [
  {
    name: 'sealed-settings',
    module: 'sealing',
    server: { kind: 'none' },
    maxRounds: 8,
    isPinned: false,
    clients: ['identity', 'sealed'],
    phases: [
      { name: 'save', warmUps: 3, slices: 8 },
      { name: 'round trips', warmUps: 0, slices: 1 },
    ],
    rows: [
      {
        key: 'cpuMs',
        title: 'saving sealed settings, CPU with the embedded database (base: not encrypted)',
        unit: 'ms',
        target: { atMost: 1.25 },
      },
      {
        key: 'roundTrips',
        title: 'saving sealed settings, round trips to PostgreSQL',
        unit: 'round trips',
        target: { value: 3 },
      },
    ],
  },
]

const savesPerSlice = 50
const owner = 'bench'
const key = { namespace: 'mcp', name: 'servers' }
/** Twenty servers, as an owner's configuration: about 6 KB. */
const value = {
  mcpServers: Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [
      `server-${index}`,
      {
        command: 'npx',
        args: ['-y', `@example/mcp-server-${index}`, '--root', `/srv/data/project-${index}`],
        env: { TOKEN: `${'x'.repeat(80)}${index}`, BASE_URL: `https://api-${index}.example.com/v1` },
      },
    ]),
  ),
}

/**
 * @param {import('../rounds.mjs').Job} job
 * @returns {Promise<import('../rounds.mjs').Opened>}
 */
export async function open({ client }) {
  if (client === 'identity') register(new URL('../sealing/identity-hook.mjs', import.meta.url))
  const { openLockbox } = await import('@toolbridge/lockbox')
  const folder = await mkdtemp(join(tmpdir(), 'toolbridge-bench-'))
  const keyring = { key: '5a'.repeat(32) }
  const lockbox = await openLockbox({ location: join(folder, 'lockbox'), keyring })
  return {
    async take(phase) {
      if (phase === 'round trips')
        return { roundTrips: await roundTrips((location) => openLockbox({ location, keyring })) }
      const { cpuMicros } = await costOf(1, savesPerSlice, () => lockbox.settings.save(owner, key, value))
      return { cpuMs: cpuMicros / 1000 }
    },
    async close() {
      await lockbox.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Counts how often a save writes to PostgreSQL after it has read from it.
 *
 * @param {(location: string) => Promise<Lockbox>} openAt
 */
async function roundTrips(openAt) {
  // Its entry point needs a test runner.
  const { startPostgres } = await import('../../packages/testkit/dist/databases/postgres.js')
  const postgres = await startPostgres()
  const counted = await countTrips(await postgres.createDatabase())
  const lockbox = await openAt(counted.url)
  try {
    await lockbox.settings.save(owner, key, value)
    const before = counted.trips()
    await lockbox.settings.save(owner, key, value)
    return counted.trips() - before
  } finally {
    await lockbox.close()
    counted.close()
    await postgres.close()
  }
}

/**
 * A proxy in front of PostgreSQL, in the event loop of its client: what that writes without waiting arrives at once.
 *
 * @param {string} location
 */
async function countTrips(location) {
  const target = new URL(location)
  const { port, hostname } = target
  let count = 0
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname)
    let hasRead = true
    client.on('data', (chunk) => {
      if (hasRead) count += 1
      hasRead = false
      server.write(chunk)
    })
    server.on('data', (chunk) => {
      hasRead = true
      client.write(chunk)
    })
    client.on('error', () => server.destroy()).on('close', () => server.destroy())
    server.on('error', () => client.destroy()).on('close', () => client.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new TypeError('no port')
  target.port = String(address.port)
  return { url: target.href, trips: () => count, close: () => void proxy.close() }
}
