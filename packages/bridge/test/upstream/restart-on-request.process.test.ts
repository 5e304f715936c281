import { openBridge } from '@toolbridge/bridge'
import { expect, test } from 'vitest'
import { isRunning, permissive, plainServer } from '../servers/specs.ts'

test('a running server is replaced by a new process, and the others are kept', async () => {
  await using bridge = await openBridge(permissive([plainServer('a'), plainServer('b')]))
  const [a, b] = bridge.status()
  const status = await bridge.restart('a')
  expect(status).toMatchObject({ name: 'a', state: 'ready' })
  expect(status?.pid).not.toBe(a?.pid)
  expect(isRunning(a?.pid)).toBe(false)
  expect(bridge.status()[1]?.pid).toBe(b?.pid)
  expect(isRunning(b?.pid)).toBe(true)
})

test('a server that failed is started again', async () => {
  const { command: _command, ...spec } = plainServer('a')
  await using bridge = await openBridge(permissive([{ ...spec, command: '/no/such/program' }]))
  expect(bridge.status()).toMatchObject([{ name: 'a', state: 'failed' }])
  const before = bridge.status()[0]?.since
  const status = await bridge.restart('a')
  expect(status).toMatchObject({ name: 'a', state: 'failed' })
  expect(status?.since).not.toBe(before)
})

test('there is nothing to restart where no server has the name', async () => {
  await using bridge = await openBridge(permissive([]))
  expect(await bridge.restart('a')).toBeUndefined()
})
