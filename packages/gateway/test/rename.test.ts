import { type ConfigResponse, type GrantsResponse, paths, type SavedServerResponse } from '@toolbridge/api'
import { entryHash } from '@toolbridge/bridge/config'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, test, vi } from 'vitest'
import { type Caller, createTestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { savedInMemory } from './support/specs.ts'
import { questionsOf, untilAsked, untilServer } from './support/waiting.ts'

const lockbox = await openFileLockbox()

const hello = savedInMemory('hello')
const needing = { ...hello, env: { ...hello.env, TOKEN: '${input:token}' } }

async function read(caller: Caller): Promise<ConfigResponse['mcpServers']> {
  const { mcpServers }: ConfigResponse = await (await caller.get(paths.config)).json()
  return mcpServers
}

async function grantsOf(caller: Caller): Promise<readonly string[]> {
  const { grants }: GrantsResponse = await (await caller.get(paths.grants)).json()
  return grants.map(({ server, tool }) => `${server} ${tool}`)
}

test('a renamed server has its secrets, what its owner entered, approved and pinned, and nothing is asked again', async () => {
  await using gateway = createTestGateway({ lockbox, permissions: { mode: 'ask' }, approvals: lockbox })
  const [ada, bob] = [gateway.as('ada'), gateway.as('bob')]
  for (const caller of [ada, bob]) {
    await caller.post(paths.config, { mcpServers: { old: needing } })
    await untilServer(caller, 'old', 'starting')
    const { id } = await untilAsked(caller)
    await caller.post(paths.answer(id), { action: 'accept', content: { value: canary('token') } })
    await untilServer(caller, 'old', 'ready')
  }
  await ada.post(paths.acceptPin('old__hello'), {})
  // A call in the console needs no approval; that of a host would store this one.
  const { spec } = (await gateway.services.owners.open('ada')).knownOf('old')
  const definition = spec === undefined ? '' : entryHash(spec)
  const approval = { principal: 'ada', server: 'old', definition, tool: 'hello' }
  await gateway.services.grants.add({ ...approval, pin: 'p', asks: ['mode ask'] })

  const renamed = await ada.send('PATCH', paths.server('old'), { name: 'new' })
  expect(renamed.status).toBe(200)
  await untilServer(ada, 'new', 'ready')
  expect(await questionsOf(ada)).toEqual([])
  expect(await read(ada)).toEqual({ new: needing })
  expect(await grantsOf(ada)).toEqual(['new hello'])
  const { pins } = await (await ada.get(paths.pins)).json()
  expect(pins).toMatchObject([{ server: 'new', tool: 'new__hello' }])
  const { inputs } = await (await ada.get(paths.credentials)).json()
  expect(inputs).toEqual([{ server: 'new', id: 'token' }])

  expect(await read(bob)).toEqual({ old: needing })
  expect((await (await bob.get(paths.credentials)).json()).inputs).toEqual([{ server: 'old', id: 'token' }])
})

test('a name that is taken or cannot be saved is refused, and everything stays where it was', async () => {
  await using gateway = createTestGateway({ lockbox, principals: ['cleo'], approvals: lockbox })
  const cleo = gateway.as('cleo')
  await cleo.post(paths.config, { mcpServers: { old: needing, taken: hello } })
  await untilServer(cleo, 'old', 'starting')
  const { id } = await untilAsked(cleo)
  await cleo.post(paths.answer(id), { action: 'accept', content: { value: canary('token') } })
  await untilServer(cleo, 'old', 'ready')
  const refused = await cleo.send('PATCH', paths.server('old'), { name: 'taken' })
  expect(await refused.json()).toMatchObject({
    issues: [{ path: '/name', message: expect.stringContaining('you have a server "taken" already') }],
  })
  vi.spyOn(lockbox.settings, 'save').mockRejectedValueOnce(new Error('the store is gone'))
  expect((await cleo.send('PATCH', paths.server('old'), { name: 'new' })).status).toBe(500)
  const { inputs: kept } = await (await cleo.get(paths.credentials)).json()
  expect(kept).toEqual([{ server: 'old', id: 'token' }])
  // As of a server of this name that was removed, and may be saved again.
  await gateway.services.inputs.copy({ principal: 'cleo', server: 'old', id: 'token' }, 'new')
  const overtaken = await cleo.send('PATCH', paths.server('old'), { name: 'new', version: 7 })
  expect(overtaken.status).toBe(409)
  const { inputs } = await (await cleo.get(paths.credentials)).json()
  expect(inputs).toEqual(['old', 'new'].map((server) => ({ server, id: 'token' })))
})

test('a removed server is saved again by reference, with every secret and whatever was saved since', async () => {
  await using gateway = createTestGateway({ lockbox, principals: ['dora'] })
  const dora = gateway.as('dora')
  const secret = canary('removed')
  const removed = {
    command: 'npx',
    args: ['-y', 'weather', '--token', secret],
    env: { KEY: secret },
    disabled: true,
  }
  const remote = { url: 'https://notes.example/mcp', headers: { Authorization: secret }, disabled: true }
  await dora.post(paths.config, { mcpServers: { removed, remote } })
  for (const name of ['removed', 'remote']) {
    const { server, version }: SavedServerResponse = await (await dora.get(paths.server(name))).json()
    expect(JSON.stringify(server)).not.toContain(secret)
    expect((await dora.delete(`${paths.server(name)}?version=${version}`)).status).toBe(200)
    await dora.send('PUT', paths.server(`since-${name}`), { server: { command: 'true', disabled: true } })
    expect((await dora.send('PUT', paths.server(name), { server })).status).toBe(200)
  }
  const now = await read(dora)
  expect([now['removed'], now['remote']]).toEqual([removed, remote])
  expect(Object.keys(now).toSorted()).toEqual(['remote', 'removed', 'since-remote', 'since-removed'])
})
