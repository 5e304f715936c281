import { type BridgeEvent, openBridge } from '@toolbridge/bridge'
import { createMemoryPair } from '@toolbridge/client'
import { expect, test } from 'vitest'
import { FoldedMessages } from '../../src/journal/events/folded-messages.ts'
import { inMemory } from '../servers/in-memory.ts'
import { ManualClock } from '../servers/manual-clock.ts'
import { permissive } from '../servers/specs.ts'

test('of 200,000 messages of a kind in a minute the first are reported, and the next minute tells how many were not', () => {
  const clock = new ManualClock()
  const messages = new FoldedMessages(clock, 2)
  const reported = Array.from({ length: 200_000 }, () => messages.next('a', 'again'))
  expect(reported.filter((message) => message !== undefined)).toEqual(['again', 'again'])
  expect(messages.next('b', 'other')).toBe('other')
  clock.advance(60_000)
  expect(messages.next('a', 'again')).toBe('again (and 199998 more times before)')
  expect(messages.next('a', 'again')).toBe('again')
  clock.advance(60_000)
  expect(messages.next('a', 'again')).toBe('again')
})

test('of 1,000 invalid messages that a server sends in a minute the first 20 are reported', async () => {
  const events: BridgeEvent[] = []
  await using bridge = await openBridge({
    ...permissive([inMemory('hello', 'floods')]),
    journal: (event) => void events.push(event),
    transportOf: () => {
      const [link, end] = createMemoryPair()
      const results: Readonly<Record<string, object>> = {
        initialize: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'floods', version: '1' },
        },
        'tools/list': { tools: [] },
      }
      end.onmessage = (message) => {
        const { id, method = '' } = message as { readonly id?: number; readonly method?: string }
        if (id === undefined) return
        const result = results[method]
        if (method === 'tools/list')
          for (let sent = 0; sent < 1_000; sent += 1) void end.send({ jsonrpc: '2.0', id: null } as never)
        const error = { code: -32601, message: 'Method not found' }
        void end.send({ jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) } as never)
      }
      return link
    },
  })
  expect(bridge.status()).toMatchObject([{ state: 'ready' }])
  const reported = events.filter((event) => event.type === 'diagnostic' && event.code === 'server_misbehaves')
  expect(reported).toHaveLength(20)
})
