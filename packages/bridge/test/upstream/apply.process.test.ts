import { type Bridge, localAuthority, openBridge, type StdioServerSpec, toText } from '@toolbridge/bridge'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'
import { fixture, isRunning, permissive } from '../servers/specs.ts'

function pidsOf(bridge: Bridge): Readonly<Record<string, number | undefined>> {
  return Object.fromEntries(bridge.status().map(({ name, pid }) => [name, pid]))
}

function withToken(spec: StdioServerSpec, token: string): StdioServerSpec {
  return { ...spec, env: { TOKEN: canary(token) } }
}

test('only what changed is restarted, what is gone is stopped, and what is new is started [S1-46] [C2] [D37]', async () => {
  const [kept, changed, gone, added] = ['kept', 'changed', 'gone', 'added'].map((name) =>
    fixture('hello', name),
  )
  if (!kept || !changed || !gone || !added) throw new Error('four specs')
  await using bridge = await openBridge(permissive([kept, changed, gone]))
  const { tools } = bridge
  const before = pidsOf(bridge)

  const movedInFile = { ...kept, source: { file: 'elsewhere', pointer: '/x' } }
  const report = await bridge.apply([withToken(changed, 'new'), movedInFile, added])

  expect(report).toEqual({
    kept: ['kept'],
    started: ['changed', 'added'],
    stopped: ['changed', 'gone'],
    failed: [],
    notReplaced: [],
    superseded: false,
  })
  const after = pidsOf(bridge)
  expect(after['kept']).toBe(before['kept'])
  expect(after['changed']).not.toBe(before['changed'])
  expect(Object.keys(after)).toEqual(['added', 'changed', 'kept'])
  expect([isRunning(before['changed']), isRunning(before['gone'])]).toEqual([false, false])
  expect(bridge.tools).toBe(tools)
  expect(new Set(tools.map((tool) => tool.server))).toEqual(new Set(['added', 'changed', 'kept']))
  expect(bridge.status().find(({ name }) => name === 'kept')?.source.file).toBe('elsewhere')
})

test('calls in flight on a replaced server finish there, and then it stops', async () => {
  const asked = deferred<(name: string) => void>()
  const spec = fixture('elicit')
  await using bridge = await openBridge({
    ...permissive([spec]),
    answerer: {
      ask: () =>
        new Promise((resolve) => asked.resolve((name) => resolve({ action: 'accept', content: { name } }))),
    },
  })
  const { elicit: oldPid } = pidsOf(bridge)
  const call = bridge.call('elicit__greet_me')
  const answer = await asked.promise
  await bridge.apply([withToken(spec, 'new')])
  expect(pidsOf(bridge)['elicit']).not.toBe(oldPid)
  expect(isRunning(oldPid)).toBe(true)
  answer('Ada')
  expect(toText(await call)).toBe('Hello, Ada!')
  await expect.poll(() => isRunning(oldPid)).toBe(false)
})

test('a server that is being replaced is stopped with the bridge, calls in flight or not', async () => {
  const spec = fixture('hostile')
  const bridge = await openBridge(permissive([spec]))
  const { hostile: oldPid } = pidsOf(bridge)
  const call = expect(bridge.call('hostile__hang')).rejects.toMatchObject({ kind: 'closed' })
  await bridge.apply([])
  expect(isRunning(oldPid)).toBe(true)
  await bridge.close()
  await call
  expect(isRunning(oldPid)).toBe(false)
})

test('when a required server does not start, everything stays as it was', async () => {
  const kept = fixture('hello', 'kept')
  await using bridge = await openBridge(permissive([kept]))
  const before = pidsOf(bridge)
  const required = { ...fixture('hostile', 'must', '--crash-before-initialize'), required: true }
  await expect(bridge.apply([withToken(kept, 'new'), required])).rejects.toThrow('server "must" is required')
  expect(pidsOf(bridge)).toEqual(before)
  expect(toText(await bridge.call('kept__hello'))).toBe('Hello, world!')
})

test('a server that failed is tried again, though its definition is the same', async () => {
  const failing = fixture('hostile', 'bad', '--crash-before-initialize')
  await using bridge = await openBridge(permissive([failing]))
  expect(await bridge.apply([failing])).toMatchObject({
    kept: [],
    started: ['bad'],
    failed: [{ name: 'bad' }],
  })
})

test('a definition that changes hands is restarted with the rights of its new owner', async () => {
  const spec = { ...fixture('hello', 'a'), env: { KEY: '${env:OPERATORS_OWN:-}' } }
  const stored = { ...spec, source: { file: 'stored settings', pointer: '/a' } }
  await using bridge = await openBridge({
    ...permissive([spec]),
    authorityOf: ({ source }) => (source.file === 'stored settings' ? { kind: 'session' } : localAuthority()),
  })
  expect(bridge.status()[0]?.state).toBe('ready')
  expect(await bridge.apply([stored])).toMatchObject({ kept: [], started: ['a'] })
  expect(bridge.status()[0]).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('OPERATORS_OWN'),
  })
})

test('closing ends a change under way', async () => {
  const bridge = await openBridge(permissive([]))
  const late = expect(bridge.apply([fixture('hostile', 'late', '--silent')])).rejects.toMatchObject({
    kind: 'closed',
  })
  await bridge.close()
  await late
})

function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
