import { openBridge } from '@toolbridge/bridge'
import { createMemoryPair } from '@toolbridge/client'
import { expect, test } from 'vitest'
import { inMemory } from './servers/in-memory.ts'
import { permissive } from './servers/specs.ts'

test('a call of a tool whose server failed says so; other names are unknown', async () => {
  await using bridge = await openBridge({
    ...permissive([inMemory('hello', 'broken')]),
    transportOf: () => {
      const [link, end] = createMemoryPair()
      end.onmessage = () => void end.close()
      return link
    },
  })
  const [status] = bridge.status()
  expect(status?.error).toBeTypeOf('string')
  await expect(bridge.call('broken__hello')).rejects.toMatchObject({
    name: 'McpError',
    kind: 'unreachable',
    message: `server "broken" is not running: ${status?.error}`,
  })
  await expect(bridge.call('other__hello')).rejects.toMatchObject({ code: 'unknown_tool' })
})

test('the status of a server quotes a long error of it in part', async () => {
  await using bridge = await openBridge({
    ...permissive([inMemory('hello', 'wordy')]),
    transportOf: () => {
      const [link, end] = createMemoryPair()
      const error = { code: -32000, message: 'x'.repeat(1_000_000) }
      end.onmessage = (message) => {
        if ('id' in message && message.id !== null) void end.send({ jsonrpc: '2.0', id: message.id, error })
      }
      return link
    },
  })
  expect(bridge.status()[0]?.error).toMatch(/x{1000,4000}…$/)
  expect(bridge.status()[0]?.error?.length).toBe(4_000)
})
