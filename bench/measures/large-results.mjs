/** One large result at a time over stdio. */
import { connect } from '../clients/clients.mjs'
import { costOf, expectEqual, keepInFlight } from '../load.mjs'

const mebibyte = 1024 * 1024

/** @type {import('../rounds.mjs').Measure[]} */
export const measures = [
  {
    name: 'large-results',
    module: 'large-results',
    server: { kind: 'stdio' },
    maxRounds: 11,
    isPinned: true,
    rows: [
      { key: 'cpu1', title: 'stdio, result of 1 MiB, CPU', unit: 'ms', target: { atMost: 1.2 } },
      { key: 'cpu8', title: 'stdio, result of 8 MiB, CPU', unit: 'ms', target: { atMost: 1.2 } },
    ],
  },
]

/** @param {import('../rounds.mjs').Job} job */
export async function sample(job) {
  const connection = await connect(job.client, job.server)
  const cpuMillis = async (
    /** @type {number} */ size,
    /** @type {number} */ warmUp,
    /** @type {number} */ count,
  ) => {
    const call = () => connection.call('blob', { bytes: size * mebibyte })
    expectEqual((await call()).content[0].text.length, size * mebibyte, 'the length of the result')
    await keepInFlight(1, warmUp, call)
    return (await costOf(1, count, call)).cpuMicros / 1000
  }
  const values = { cpu1: await cpuMillis(1, 5, 30), cpu8: await cpuMillis(8, 1, 6) }
  await connection.close()
  return values
}
