import { type BridgeEvent, openBridge, toText } from '@toolbridge/bridge'
import { canary } from '@toolbridge/testkit/secrets'
import { describe, expect, test } from 'vitest'
import { inMemory } from './servers/in-memory.ts'
import { fixture, permissive } from './servers/specs.ts'

const [work, home] = [{ uri: 'file:///work', name: 'Work' }, { uri: 'file:///home' }]

describe('roots', () => {
  test.each(['legacy', 'modern'])('are told to a server of the %s era that asks', async (era) => {
    await using bridge = await openBridge({
      ...permissive([fixture('catalogue', 'files', '--era', era)]),
      roots: [work, home],
    })
    expect(toText(await bridge.call('files__look_around'))).toBe('file:///work file:///home')
    bridge.setRoots([home])
    expect(toText(await bridge.call('files__look_around'))).toBe('file:///home')
  })

  test('that change are told to every server, on every connection', async () => {
    const alice = { principal: 'alice', conversation: 'one' }
    await using bridge = await openBridge({ ...permissive([inMemory('worldly')]), roots: [work] })
    const both = (): Promise<readonly string[]> =>
      Promise.all(
        [{}, { origin: alice }].map(async (options) =>
          toText(await bridge.call('worldly__where', {}, options)),
        ),
      )
    await expect.poll(both).toEqual(['file:///work (1)', 'file:///work (1)'])
    bridge.setRoots([home, work])
    await expect.poll(both).toEqual(['file:///home file:///work (2)', 'file:///home file:///work (2)'])
  })

  test('that are not file URIs are refused, and nothing changes', async () => {
    await using bridge = await openBridge({ ...permissive([inMemory('worldly')]), roots: [] })
    expect(() => bridge.setRoots([work, { uri: 'https://example.com/' }])).toThrow('file:// address')
    await expect.poll(async () => toText(await bridge.call('worldly__where'))).toBe(' (1)')
  })

  test('are not told of unless a host has any', async () => {
    await using bridge = await openBridge(permissive([inMemory('worldly')]))
    expect(toText(await bridge.call('worldly__where'))).toBe('nothing (0)')
    expect(() => bridge.setRoots([work])).toThrow('open the bridge with roots')
  })
})

describe('what a server logs', () => {
  async function logged(params: object): Promise<readonly BridgeEvent[]> {
    const events: BridgeEvent[] = []
    await using bridge = await openBridge({
      ...permissive([{ ...inMemory('worldly'), env: { TOKEN: canary('token') } }]),
      journal: (event) => events.push(event),
    })
    await bridge.call('worldly__say', { ...params })
    return events.filter(({ type }) => type === 'server.log')
  }

  test('is in the journal with its level and its logger', async () => {
    const params = { level: 'warning', logger: 'disk', data: 'almost full' }
    expect(await logged(params)).toMatchObject([
      { server: 'worldly', level: 'warning', logger: 'disk', message: 'almost full' },
    ])
  })

  test('may be any data, and is there without secrets and control characters', async () => {
    const data = { said: canary('token'), shown: '\u001b[31mred' }
    const [event] = await logged({ level: 'info', data })
    expect(event).toMatchObject({ message: expect.stringContaining('[redacted]') })
    expect(JSON.stringify(event)).not.toContain(canary('token'))
  })

  test.each([{ level: 'loud', data: 'x' }, { data: 'x' }])(
    'is left out when it is none (%j)',
    async (params) => {
      expect(await logged(params)).toEqual([])
    },
  )
})
