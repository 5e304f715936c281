/** Long lists of tools over stdio, read repeatedly. */
import { connect } from '../clients/clients.mjs'
import { costOf, expectEqual } from '../load.mjs'

/** After a first list: the CPU time of each list, and the peak of all. */
const phases = [
  { name: 'list', warmUps: 1, slices: 8 },
  { name: 'peak', warmUps: 0, slices: 1 },
]

/** @type {import('../rounds.mjs').Measure[]} */
export const measures = [
  {
    name: 'list-10000',
    module: 'tool-lists',
    server: { kind: 'stdio', args: ['--tools', '10000'] },
    maxRounds: 8,
    isPinned: true,
    phases,
    rows: [
      { key: 'cpu', title: 'list of 10,000 tools, CPU', unit: 'ms', target: { atMost: 1.2 } },
      { key: 'peakMegabytes', title: 'list of 10,000 tools, peak RSS', unit: 'MB', target: { atMost: 1.2 } },
    ],
  },
  {
    name: 'list-1000-output-schemas',
    module: 'tool-lists',
    server: { kind: 'stdio', args: ['--tools', '1000', '--output-schemas'] },
    maxRounds: 8,
    isPinned: true,
    phases,
    rows: [
      {
        key: 'cpu',
        title: 'list of 1,000 tools with output schemas, CPU',
        unit: 'ms',
        target: { atMost: 1.2 },
      },
      {
        key: 'peakMegabytes',
        title: 'list of 1,000 tools with output schemas, peak RSS',
        unit: 'MB',
        target: { atMost: 1.2 },
      },
    ],
  },
]

/**
 * @param {import('../rounds.mjs').Job} job
 * @returns {Promise<import('../rounds.mjs').Opened>}
 */
export async function open(job) {
  const connection = await connect(job.client, job.server)
  const length = job.name === 'list-10000' ? 10_000 : 1000
  const list = async () => expectEqual((await connection.listTools()).length, length, 'the number of tools')
  return {
    async take(phase) {
      if (phase === 'peak') return { peakMegabytes: process.resourceUsage().maxRSS / 1024 }
      return { cpu: (await costOf(1, 1, list)).cpuMicros / 1000 }
    },
    close: () => connection.close(),
  }
}
