import { type Answerer, type BridgeEvent, openBridge } from '@toolbridge/bridge'
import { createMemoryPair, type MemoryServerEnd } from '@toolbridge/client'
import { expect, test, vi } from 'vitest'
import { inMemory } from '../servers/in-memory.ts'
import { permissive } from '../servers/specs.ts'

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))

/** A server whose first tool has a schema nested too deep. */
function answerDeep(end: MemoryServerEnd): void {
  const schema = { type: 'object', default: nested(1_000) }
  const results: Readonly<Record<string, object>> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'deep', version: '1' },
    },
    'tools/list': {
      tools: [
        { name: 'deep', inputSchema: schema },
        { name: 'fine', inputSchema: { type: 'object' } },
      ],
    },
  }
  end.onmessage = (message) => {
    if (!('method' in message) || !('id' in message)) return
    const { id, method } = message
    const result = results[method]
    const error = { code: -32601, message: 'unknown' }
    void end.send(result === undefined ? { jsonrpc: '2.0', id, error } : { jsonrpc: '2.0', id, result })
  }
}

test('a server whose schema is nested too deep takes no tool from another server', async () => {
  const events: BridgeEvent[] = []
  const { transportOf, ...options } = permissive([inMemory('hello'), inMemory('hello', 'deep')])
  await using bridge = await openBridge({
    ...options,
    journal: (event) => void events.push(event),
    transportOf: (spec, ...more) => {
      if (spec.name !== 'deep') return transportOf?.(spec, ...more)
      const [transport, end] = createMemoryPair()
      answerDeep(end)
      return transport
    },
  })
  expect(bridge.tools.map(({ name }) => name)).toEqual(['deep__fine', 'hello__hello', 'hello__repeat'])
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'diagnostic',
      server: 'deep',
      message: expect.stringContaining('"deep"'),
    }),
  )
})

test.each(['allow', 'ask'] as const)('arguments nested too deep are refused in mode %s', async (mode) => {
  const ask = vi.fn<Answerer['ask']>(async () => ({ action: 'accept' }))
  await using bridge = await openBridge({
    ...permissive([inMemory('hello')]),
    permissions: { mode },
    answerer: { ask },
  })
  await expect(bridge.call('hello__hello', { name: nested(100_000) })).rejects.toMatchObject({
    name: 'McpError',
    message: expect.stringContaining('nested deeper than 256 levels'),
  })
  expect(ask).not.toHaveBeenCalled()
})
