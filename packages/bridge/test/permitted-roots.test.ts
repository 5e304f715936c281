import { type Bridge, type BridgeEvent, type BridgeOptions, openBridge, toText } from '@toolbridge/bridge'
import { describe, expect, test } from 'vitest'
import type { PermissionRules } from '../src/permission/rules/rules.ts'
import { type RootedInMemory, rootedInMemory } from './servers/rooted-in-memory.ts'
import { permissive } from './servers/specs.ts'

const [work, etc] = [{ uri: 'file:///projects', name: 'Projects' }, { uri: 'file:///etc/nginx' }]
const notEtc: PermissionRules = { mode: 'allow', deny: ['mcp://files/*(path=/etc/**)'] }

function open(servers: RootedInMemory, options: Partial<BridgeOptions>): Promise<Bridge> {
  return openBridge({
    ...permissive([servers.spec('files'), servers.spec('shell')]),
    transportOf: servers.transportOf,
    roots: [work, etc],
    ...options,
  })
}

async function rootsOf(bridge: Bridge, server: string, principal?: string): Promise<string> {
  const origin = principal && { origin: { principal, conversation: 'one' } }
  return toText(await bridge.call(`${server}__where`, {}, { ...origin }))
}

describe.each(['legacy', 'modern'] as const)('a server of the %s era', (era) => {
  test('is told of the roots that no path rule denies it [C30]', async () => {
    const events: BridgeEvent[] = []
    const journal = (event: BridgeEvent): void => void events.push(event)
    await using bridge = await open(rootedInMemory(era), { permissions: notEtc, journal })
    expect(await rootsOf(bridge, 'files')).toBe('file:///projects')
    expect(await rootsOf(bridge, 'shell')).toBe('file:///projects file:///etc/nginx')
    await rootsOf(bridge, 'files')
    expect(events.filter((event) => 'code' in event && event.code === 'root_withheld')).toMatchObject([
      { server: 'files', message: expect.stringContaining('rule deny mcp://files/*(path=/etc/**)') },
    ])
  })

  test('is told of roots by the rules for its principal [C30]', async () => {
    const match = 'mcp://files/*(path=/etc/**)'
    const permissions: PermissionRules = { mode: 'allow', deny: [{ match, principal: 'guest-*' }] }
    await using bridge = await open(rootedInMemory(era), { permissions })
    expect(await rootsOf(bridge, 'files', 'guest-1')).toBe('file:///projects')
    expect(await rootsOf(bridge, 'files', 'ada')).toBe('file:///projects file:///etc/nginx')
  })

  test('lists the new roots once they changed [C30]', async () => {
    await using bridge = await open(rootedInMemory(era), { permissions: notEtc })
    await rootsOf(bridge, 'files')
    bridge.setRoots([{ uri: 'file:///home' }, etc])
    expect(await rootsOf(bridge, 'files')).toBe('file:///home')
  })
})

test('changed roots are notified once, and only to servers whose permitted roots changed [C30]', async () => {
  const servers = rootedInMemory('legacy')
  await using bridge = await open(servers, { permissions: notEtc, roots: [work] })
  bridge.setRoots([work, etc])
  bridge.setRoots([work, etc])
  await Promise.all(['files', 'shell'].map((server) => rootsOf(bridge, server)))
  expect(servers.told).toEqual({ shell: 1 })
  bridge.setRoots([])
  await Promise.all(['files', 'shell'].map((server) => rootsOf(bridge, server)))
  expect(servers.told).toEqual({ files: 1, shell: 2 })
})

test('roots that change while a server connects are notified when it has connected [C30]', async () => {
  const servers = rootedInMemory('legacy', () => bridge.setRoots([etc]))
  await using bridge = await open(servers, { servers: [] })
  await bridge.apply([servers.spec('files')])
  expect(await rootsOf(bridge, 'files')).toBe('file:///etc/nginx')
  expect(servers.told).toEqual({ files: 1 })
})

test('the modern era has no notification of changed roots [C30]', async () => {
  const servers = rootedInMemory('modern')
  await using bridge = await open(servers, {})
  bridge.setRoots([])
  expect(await rootsOf(bridge, 'files')).toBe('')
  expect(servers.told).toEqual({})
})
