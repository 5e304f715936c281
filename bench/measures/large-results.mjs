/** One large result at a time over stdio. */
import { connect } from '../clients/clients.mjs'
import { costOf, expectEqual } from '../load.mjs'

const mebibyte = 1024 * 1024
const bytesPerSlice = 8 * mebibyte

/** @type {import('../rounds.mjs').Measure[]} */
export const measures = [
  {
    name: 'large-results',
    module: 'large-results',
    server: { kind: 'stdio' },
    maxRounds: 8,
    isPinned: true,
    phases: [
      { name: '1', warmUps: 2, slices: 6 },
      { name: '8', warmUps: 2, slices: 6 },
    ],
    rows: [
      { key: 'cpu1', title: 'stdio, result of 1 MiB, CPU', unit: 'ms', target: { atMost: 1.2 } },
      { key: 'cpu8', title: 'stdio, result of 8 MiB, CPU', unit: 'ms', target: { atMost: 1.2 } },
    ],
  },
]

/**
 * @param {import('../rounds.mjs').Job} job
 * @returns {Promise<import('../rounds.mjs').Opened>}
 */
export async function open(job) {
  const connection = await connect(job.client, job.server)
  return {
    async take(mebibytes) {
      const bytes = Number(mebibytes) * mebibyte
      const { cpuMicros } = await costOf(1, bytesPerSlice / bytes, async () => {
        const { content } = await connection.call('blob', { bytes })
        expectEqual(content[0].text.length, bytes, 'the length of the result')
      })
      return { [`cpu${mebibytes}`]: cpuMicros / 1000 }
    },
    close: () => connection.close(),
  }
}
