import { type BridgeMessage, openBridge } from '@toolbridge/bridge'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'
import { ownServer, permissive } from '../servers/specs.ts'

test('messages and standard error of a server are observed across restarts, without secrets, until that is disposed', async () => {
  const token = canary('token')
  await using bridge = await openBridge(
    permissive([{ ...ownServer('chatty'), env: { CHATTY_TOKEN: token } }]),
  )
  await bridge.call('chatty__refuse').catch(() => undefined)
  const messages: BridgeMessage[] = []
  const lines: string[] = []
  const observed = bridge.observe('chatty', {
    onMessage: (message) => messages.push(message),
    onStderr: (line) => lines.push(line),
  })
  expect(lines).toEqual(['started with [redacted]'])
  await bridge.call('chatty__refuse').catch(() => undefined)
  expect(messages).toMatchObject([
    { direction: 'sent', method: 'tools/call', id: expect.any(Number) },
    {
      direction: 'received',
      id: messages[0]?.id,
      text: expect.stringContaining('cannot log in with [redacted]'),
    },
  ])
  await bridge.call('chatty__die').catch(() => undefined)
  await expect
    .poll(() => lines)
    .toEqual(['started with [redacted]', 'dying with [redacted]', 'started with [redacted]'])
  await expect.poll(() => messages.filter(({ method }) => method === 'initialize')).toHaveLength(1)
  expect(new Set(messages.map(({ connection }) => connection)).size).toBe(2)
  expect(JSON.stringify([messages, lines])).not.toContain(token)
  await expect.poll(() => bridge.status()).toMatchObject([{ state: 'ready' }])
  observed[Symbol.dispose]()
  const before = [messages.length, lines.length]
  await bridge.call('chatty__refuse').catch(() => undefined)
  expect([messages.length, lines.length]).toEqual(before)
})

test('two observers of a server get the same, and the other server is not observed', async () => {
  await using bridge = await openBridge(permissive([ownServer('chatty'), { ...ownServer('late') }]))
  const seen: string[][] = [[], []]
  const observers = seen.map((texts) =>
    bridge.observe('chatty', { onMessage: ({ server }) => texts.push(server), onStderr: () => undefined }),
  )
  await bridge.call('chatty__refuse').catch(() => undefined)
  observers[0]?.[Symbol.dispose]()
  await bridge.call('chatty__refuse').catch(() => undefined)
  expect(seen.map((texts) => texts.length)).toEqual([2, 4])
  expect(new Set(seen.flat())).toEqual(new Set(['chatty']))
})
