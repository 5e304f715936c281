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
