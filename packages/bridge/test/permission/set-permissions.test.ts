import { type Bridge, ConfigError, openBridge, toText } from '@toolbridge/bridge'
import { expect, test } from 'vitest'
import { inMemory } from '../servers/in-memory.ts'
import { rootedInMemory } from '../servers/rooted-in-memory.ts'
import { permissive } from '../servers/specs.ts'

const greet = (bridge: Bridge): Promise<string> =>
  bridge.call('hello__hello', { name: 'Ada' }).then(toText, (error: Error) => error.message)

test('new rules decide the calls that begin after them, also of tools that were called before', async () => {
  await using bridge = await openBridge(permissive([inMemory('hello')]))
  expect(await greet(bridge)).toBe('Hello, Ada!')
  bridge.setPermissions({ mode: 'allow', deny: ['mcp://hello/hello'] })
  expect(await greet(bridge)).toContain('rule deny mcp://hello/hello')
  bridge.setPermissions({ mode: 'allow' })
  expect(await greet(bridge)).toBe('Hello, Ada!')
})

test('denied tools are looked for again only if the rules, the tools or the caller change', async () => {
  await using bridge = await openBridge({
    ...permissive([inMemory('hello')]),
    permissions: { mode: 'allow', deny: ['mcp://hello/repeat', 'mcp://elicit/greet_me'] },
  })
  const repeat = ['hello__repeat', expect.stringContaining('deny mcp://hello/repeat')]
  const denied = bridge.deniedTools()
  expect([...denied]).toEqual([repeat])
  expect(bridge.deniedTools()).toBe(denied)
  await bridge.apply([inMemory('hello'), inMemory('elicit')])
  expect([...bridge.deniedTools().keys()]).toEqual(['elicit__greet_me', 'hello__repeat'])
  bridge.setPermissions({ mode: 'allow', deny: [{ match: 'mcp://hello/*', principal: 'bob' }] })
  expect([...bridge.deniedTools()]).toEqual([])
  const origin = { principal: 'bob', conversation: 'main' }
  expect([...bridge.deniedTools({ origin }).keys()]).toEqual(['hello__hello', 'hello__repeat'])
})

test('new rules bring their own control files', async () => {
  await using bridge = await openBridge(permissive([inMemory('hello')]))
  const write = (): Promise<unknown> => bridge.call('hello__hello', { name: '/srv/secret/rules' })
  await write()
  bridge.setPermissions({ mode: 'allow', controlFiles: ['/srv/secret/*'] })
  await expect(write()).rejects.toThrow('a control file')
})

test('invalid rules are refused with every issue, and the old ones stay', async () => {
  await using bridge = await openBridge({
    ...permissive([inMemory('hello')]),
    permissions: { mode: 'allow', deny: ['mcp://hello/hello'] },
  })
  expect(() => bridge.setPermissions({ mode: 'allow', deny: ['hello'] })).toThrow(ConfigError)
  expect(await greet(bridge)).toContain('rule deny mcp://hello/hello')
})

test('servers are notified of roots that the new rules withhold [C30]', async () => {
  const servers = rootedInMemory('legacy')
  await using bridge = await openBridge({
    ...permissive([servers.spec('files')]),
    transportOf: servers.transportOf,
    roots: [{ uri: 'file:///etc/nginx' }],
  })
  bridge.setPermissions({ mode: 'allow', deny: ['mcp://files/*(path=/etc/**)'] })
  expect(toText(await bridge.call('files__where'))).toBe('')
  expect(servers.told).toEqual({ files: 1 })
})
