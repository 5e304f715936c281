import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { openBridge, type StdioServerSpec, toText } from '@toolbridge/bridge'
import { expect, test } from 'vitest'
import { isRunning, nodeServer, permissive } from '../servers/specs.ts'

const program = fileURLToPath(new URL('../servers/port.mjs', import.meta.url))

/** A port that was free just now. */
async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', () => resolve()))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

function server(port: number, version: string, more: Partial<StdioServerSpec> = {}): StdioServerSpec {
  return { ...nodeServer('port', program), env: { PORT: String(port), VERSION: version }, ...more }
}

test('a process with an exclusive port survives a replacement that fails, and stop-first replaces it [S1-45] [S1-47]', async () => {
  const port = await freePort()
  await using bridge = await openBridge(permissive([server(port, 'one')]))
  const version = async (): Promise<string> => toText(await bridge.call('port__version'))
  const { pid } = bridge.status()[0] ?? {}

  expect(await bridge.apply([server(port, 'two')])).toMatchObject({ notReplaced: ['port'], stopped: [] })
  expect([await version(), isRunning(pid)]).toEqual([`one on ${port}`, true])
  const [status] = bridge.status()
  expect(status).toMatchObject({ state: 'ready', pid })
  expect(status?.failedReplacement?.error).toContain('set "replace": "stop-first"')
  expect(status?.failedReplacement?.stderr?.join()).toContain('EADDRINUSE')

  const replaced = bridge.apply([server(port, 'two', { replace: 'stop-first' })])
  expect(await version()).toBe(`two on ${port}`)
  expect(await replaced).toMatchObject({ failed: [], stopped: ['port'] })
  expect([isRunning(pid), bridge.processes()]).toMatchObject([false, [{ server: 'port' }]])

  const broken = { command: '/no/such/program', replace: 'stop-first' } as const
  expect(await bridge.apply([server(port, 'three', broken)])).toMatchObject({ notReplaced: ['port'] })
  expect(await version()).toBe(`two on ${port}`)
})
