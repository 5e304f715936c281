import { expect, test, vi } from 'vitest'
import { fixtureServers } from '@toolbridge/testkit/servers'
import { stopTree } from '../../../src/process/process-tree.ts'
import { StdioTransport, type StdioStopOptions } from '../../../src/stdio.ts'

vi.mock(import('../../../src/process/process-tree.ts'), async (importOriginal) => {
  const original = await importOriginal()
  return { ...original, stopTree: vi.fn(original.stopTree) }
})

test.each([
  ['the default times', undefined, { graceMs: 500, termMs: 2_500 }],
  ['its own time until SIGTERM', { graceMs: 20 }, { graceMs: 20, termMs: 2_500 }],
  ['its own time until SIGKILL', { termMs: 30 }, { graceMs: 500, termMs: 30 }],
])('a server has %s to stop [T1]', async (_title, stop, times) => {
  expect(await timesOfStop(stop)).toEqual(times)
})

async function timesOfStop(stop: StdioStopOptions | undefined): Promise<unknown> {
  const args = [fixtureServers.hostile]
  const transport = new StdioTransport({
    command: process.execPath,
    args,
    ...(stop === undefined ? {} : { stop }),
  })
  await transport.start()
  await transport.close()
  return vi.mocked(stopTree).mock.lastCall?.[1]
}
