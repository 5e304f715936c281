import { type BridgeEvent, openBridge } from '@toolbridge/bridge'
import { agentTools } from '@toolbridge/bridge/agent-tool'
import { memoryPinStore } from '@toolbridge/bridge/permissions'
import { expect, test } from 'vitest'
import { inMemory } from '../servers/in-memory.ts'
import { permissive } from '../servers/specs.ts'
import { alice, openPermissions, person, requestCall } from './open-permissions.ts'

const hello = permissive([inMemory('hello')])
const asking = { ...hello, permissions: { ask: ['mcp:hello__hello'] } } as const
const args = { name: 'Ada' }

test('a call that the application had approved is not asked about, and only that call', async () => {
  const reasons: string[] = []
  const journal = (event: BridgeEvent): void => {
    if (event.type === 'permission.decided') reasons.push(event.reason)
  }
  await using bridge = await openBridge({ ...asking, journal })
  const result = await bridge.call('hello__hello', args, { approved: true })
  expect(result.content).toEqual([{ type: 'text', text: 'Hello, Ada!' }])
  await expect(bridge.call('hello__hello', args)).rejects.toMatchObject({ code: 'no_answerer' })
  expect(reasons).toEqual(['approved', 'no_answerer'])
})

test.each([
  ['a rule', { deny: ['mcp:hello__hello'], ask: ['mcp:hello__*'] }],
  ['the mode', { mode: 'plan' }],
] as const)('an approval by the application does not override %s that denies', async (_, permissions) => {
  await using bridge = await openBridge({ ...hello, permissions })
  const call = bridge.call('hello__hello', args, { approved: true })
  await expect(call).rejects.toMatchObject({ code: 'denied' })
})

test('an approval of a call does not approve a changed tool or a control file, which it does not show', async () => {
  const pins = memoryPinStore()
  const rules = { mode: 'ask' } as const
  const approver = person(() => ({ action: 'decline' }))
  const permissions = openPermissions({ rules, pins })
  const approved = { approver, isApproved: true, definition: { description: 'Old.' } }
  expect(await requestCall(permissions, {}, approved)).toBe('approved')
  const changed = requestCall(permissions, {}, { ...approved, definition: { description: 'New.' } })
  await expect(changed).rejects.toMatchObject({ code: 'approval_refused' })
  const naming = requestCall(permissions, { path: '/p/.mcp.json' }, approved)
  await expect(naming).rejects.toMatchObject({ code: 'approval_refused' })
  expect(approver.asked.map(({ reason }) => reason)).toEqual(['the tool has changed', 'a control file'])
})

test('tools for models cannot be approved all at once', async () => {
  await using bridge = await openBridge(asking)
  const options: object = { approved: true }
  const [tool] = agentTools(bridge, options)
  await expect(tool?.execute(args)).rejects.toMatchObject({ code: 'no_answerer' })
})

test('the permission of a call can be read without making it or asking', async () => {
  const approver = person(() => ({ action: 'accept', decision: 'session' }))
  const permissions = {
    mode: 'allow',
    ask: ['mcp:hello__hello'],
    deny: ['mcp:hello__repeat(count=9)'],
  } as const
  await using bridge = await openBridge({ ...hello, permissions, approver })
  expect(await bridge.permissionFor('hello__repeat', { count: 9 })).toEqual({
    verdict: 'deny',
    reason: 'rule deny mcp:hello__repeat(count=9)',
  })
  expect(await bridge.permissionFor('hello__repeat', { count: 8 })).toEqual({
    verdict: 'allow',
    reason: 'mode allow',
  })
  expect(await bridge.permissionFor('mcp://hello/hello', args)).toMatchObject({ verdict: 'ask' })
  expect(await bridge.permissionFor('gone__tool')).toBeUndefined()
  expect(approver.asked).toEqual([])
  await bridge.call('hello__hello', args)
  expect(await bridge.permissionFor('hello__hello', args)).toEqual({ verdict: 'allow', reason: 'granted' })
  expect(await bridge.permissionFor('hello__hello', { name: 'Bob' })).toMatchObject({ verdict: 'ask' })
  expect(await bridge.permissionFor('hello__hello', args, { origin: alice })).toMatchObject({
    verdict: 'ask',
  })
})

test('the permission of a call that is nested too deep is a denial, as the call is', async () => {
  let deep: unknown = 1
  for (let level = 0; level < 5_000; level += 1) deep = [deep]
  await using bridge = await openBridge(hello)
  expect(await bridge.permissionFor('hello__hello', { deep })).toMatchObject({ verdict: 'deny' })
})
