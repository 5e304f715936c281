import { fixtureServers } from '@toolbridge/testkit/servers'
import { afterEach, expect, test } from 'vitest'
import { StdioTransport, type StdioTransportConfig } from '../../../src/stdio.ts'
import { isRunning } from '../../processes.ts'

const opened: StdioTransport[] = []

afterEach(async () => {
  for (const transport of opened.splice(0)) await transport.close()
})

test('a server that died is started again with the same handlers, and answers', async () => {
  const transport = await started(['--crash-mid-call'])
  const { pid } = transport
  const ended = new Promise((resolve) => transport.setHandlers({ onClose: resolve }))
  await expect(transport.request('tools/call', { name: 'echo' })).rejects.toMatchObject({
    data: { exitCode: 7, stderr: ['panic: out of luck'] },
  })
  await ended
  await transport.restart()
  expect(transport.pid).not.toBe(pid)
  expect(transport.stderrTail).toEqual([])
  await expect(transport.request('tools/list')).resolves.toBeDefined()
  await expect(transport.request('tools/call')).rejects.toMatchObject({ data: { exitCode: 7 } })
})

test('a restart ends the process that runs and fails what is in flight, without telling of a loss', async () => {
  const transport = await started([])
  const losses: unknown[] = []
  transport.setHandlers({ onClose: (reason) => losses.push(reason) })
  const { pid = 0 } = transport
  const hanging = expect(transport.request('tools/call', { name: 'hang' })).rejects.toThrow('restarted')
  await Promise.all([transport.restart(), transport.restart(), hanging])
  expect(isRunning(pid)).toBe(false)
  expect(losses).toEqual([])
  await expect(transport.request('tools/list')).resolves.toBeDefined()
})

test('what is asked during a restart fails', async () => {
  const transport = await started([])
  const restarted = transport.restart()
  await expect(transport.request('tools/list')).rejects.toMatchObject({ kind: 'closed' })
  await restarted
})

test('closing during a restart leaves no process, and a closed link is not started again', async () => {
  const transport = await started(['--ignore-stop'])
  const { pid = 0 } = transport
  const restarted = expect(transport.restart()).rejects.toThrow('the connection was closed')
  await transport.close()
  await restarted
  expect(isRunning(pid)).toBe(false)
  expect(transport.pid).toBeUndefined()
  await expect(transport.restart()).rejects.toThrow('the connection was closed')
})

async function started(flags: readonly string[]): Promise<StdioTransport> {
  const config: StdioTransportConfig = {
    command: process.execPath,
    args: [fixtureServers.hostile, ...flags],
    stop: { graceMs: 50, termMs: 50 },
  }
  const transport = new StdioTransport(config)
  opened.push(transport)
  await transport.start()
  return transport
}
