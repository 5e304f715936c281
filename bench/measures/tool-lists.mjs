/** Long lists of tools over stdio, read repeatedly. */
import { connect } from '../clients/clients.mjs'
import { costOf, expectEqual } from '../load.mjs'

/** @type {import('../rounds.mjs').Measure[]} */
export const measures = [
  {
    name: 'list-10000',
    module: 'tool-lists',
    server: { kind: 'stdio', args: ['--tools', '10000'] },
    maxRounds: 9,
    isPinned: true,
    rows: [
      { key: 'cpu', title: 'list of 10,000 tools, CPU', unit: 'ms', target: { atMost: 1.2 } },
      { key: 'peakMegabytes', title: 'list of 10,000 tools, peak RSS', unit: 'MB', target: { atMost: 1.2 } },
    ],
  },
  {
    name: 'list-1000-output-schemas',
    module: 'tool-lists',
    server: { kind: 'stdio', args: ['--tools', '1000', '--output-schemas'] },
    maxRounds: 9,
    isPinned: true,
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

/** @param {import('../rounds.mjs').Job} job */
export async function sample(job) {
  const connection = await connect(job.client, job.server)
  const length = job.name === 'list-10000' ? 10_000 : 1000
  expectEqual((await connection.listTools()).length, length, 'the number of tools')
  // Enough lists to average out garbage collection.
  const { cpuMicros } = await costOf(1, length === 10_000 ? 8 : 6, () => connection.listTools())
  await connection.close()
  return { cpu: cpuMicros / 1000, peakMegabytes: process.resourceUsage().maxRSS / 1024 }
}
