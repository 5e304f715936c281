import { fixtureServers } from '@toolbridge/testkit/servers'
import { afterEach, expect, test, vi } from 'vitest'
import { McpClient, type McpClientOptions, type McpError } from '../../src/index.ts'
import { StdioTransport } from '../../src/stdio.ts'

const opened: McpClient[] = []

afterEach(async () => {
  for (const client of opened.splice(0)) await client.close()
})

test('a server without a handshake that died is started again, and its subscriptions go on [T2]', async () => {
  const [listener, onWarning, onClose] = [vi.fn(), vi.fn(), vi.fn()]
  const { client, kill } = await connected({ restarts: 3, onWarning, onClose })
  const resumed = new Promise<void>((resolve) => {
    void client.subscribe({ toolsListChanged: true }, listener, { onGap: resolve }).then(kill)
  })
  await resumed
  await client.callTool('touch')
  await expect
    .poll(() => listener)
    .toHaveBeenCalledWith('notifications/tools/list_changed', expect.anything())
  expect(onWarning.mock.calls.map(([{ message }]) => message)).toEqual([
    expect.stringContaining('died and was started again'),
  ])
  expect(onClose).not.toHaveBeenCalled()
})

test('what was in flight when it died has failed, and is not sent again [T2]', async () => {
  const { client, kill } = await connected({ restarts: 1 })
  const slow = client.callTool('slow', { delayMs: 10_000 })
  kill()
  await expect(slow).rejects.toMatchObject({ kind: 'closed', data: { signal: 'SIGKILL' } })
})

test('one that dies more often than it may is given up, and the host hears why [T2]', async () => {
  const onWarning = vi.fn()
  const ended = new Promise<McpError>((onClose) => {
    void connected({ restarts: 1, onWarning, onClose }).then(async ({ kill }) => {
      kill()
      await expect.poll(() => onWarning).toHaveBeenCalledOnce()
      kill()
    })
  })
  expect(await ended).toMatchObject({ kind: 'closed', data: { signal: 'SIGKILL' } })
})

test('closing while it is started again leaves no process, and nobody hears of an end [T2]', async () => {
  const [onClose, onWarning] = [vi.fn(), vi.fn()]
  const { client, transport, kill } = await connected({ restarts: 3, onClose, onWarning })
  const slow = client.callTool('slow', { delayMs: 10_000 })
  kill()
  await expect(slow).rejects.toMatchObject({ kind: 'closed' })
  await client.close()
  expect(transport.pid).toBeUndefined()
  expect([onClose.mock.calls, onWarning.mock.calls]).toEqual([[], []])
})

test('unless it is asked for, nothing is started again', async () => {
  const ended = new Promise<McpError>((onClose) => {
    void connected({ onClose }).then(({ kill }) => kill())
  })
  expect(await ended).toMatchObject({ kind: 'closed' })
})

async function connected(options: McpClientOptions): Promise<{
  readonly client: McpClient
  readonly transport: StdioTransport
  readonly kill: () => void
}> {
  const transport = new StdioTransport({ command: process.execPath, args: [fixtureServers.modern] })
  const client = new McpClient(transport, { ...options, era: '2026-07-28' })
  opened.push(client)
  await client.connect()
  const kill = (): void => {
    if (transport.pid !== undefined) process.kill(transport.pid, 'SIGKILL')
  }
  return { client, transport, kill }
}
