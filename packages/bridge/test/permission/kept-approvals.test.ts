import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApprovalDecision, type BridgeEvent, openBridge } from '@toolbridge/bridge'
import { callsInJournal, dryRun, fileGrantStore, filePinStore } from '@toolbridge/bridge/permissions'
import { expect, onTestFinished, test } from 'vitest'
import { inMemory } from '../servers/in-memory.ts'
import { permissive } from '../servers/specs.ts'
import { alice, person, type ScriptedPerson } from './open-permissions.ts'

function accepting(decision: ApprovalDecision): ScriptedPerson {
  return person(() => ({ action: 'accept', decision }))
}

test('a bridge keeps what a person granted, and the next one needs nobody', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'toolbridge-grants-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const options = {
    ...permissive([inMemory('hello')]),
    permissions: { mode: 'ask' },
    grants: fileGrantStore(join(folder, 'grants')),
    pins: filePinStore(join(folder, 'pins')),
  } as const
  const approver = accepting('always')
  await using first = await openBridge({ ...options, approver })
  await first.call('hello__hello')
  await using second = await openBridge(options)
  await second.call('hello__hello')
  expect(approver.asked).toHaveLength(1)
})

test('what was granted for a conversation ends when its origin is released', async () => {
  const approver = accepting('tool')
  const options = { ...permissive([inMemory('hello')]), permissions: { mode: 'ask' } } as const
  await using bridge = await openBridge({ ...options, approver })
  for (const _round of [1, 2]) {
    await bridge.call('hello__hello', {}, { origin: alice })
    await bridge.call('hello__hello', { name: 'Ada' }, { origin: alice })
    await bridge.releaseOrigin(alice)
  }
  expect(approver.asked).toHaveLength(2)
})

test('the calls of a journal are those that were decided about, with what was decided', async () => {
  const events: BridgeEvent[] = []
  await using bridge = await openBridge({
    ...permissive([inMemory('hello')]),
    permissions: { mode: 'allow', ask: ['mcp://hello/hello'], deny: ['mcp://hello/repeat'] },
    journal: (event) => void events.push(event),
    answerer: { ask: async () => ({ action: 'accept', decision: 'tool' }) },
  })
  await bridge.call('hello__hello')
  await bridge.call('hello__hello')
  await bridge.call('hello__repeat', { text: 'a' }).catch(() => {})
  const found = callsInJournal(events, bridge.tools)
  expect(found).toMatchObject([
    { server: 'hello', tool: 'hello', name: 'hello__hello', principal: 'local', verdict: 'ask' },
    { tool: 'hello', verdict: 'ask' },
    { tool: 'repeat', verdict: 'deny' },
  ])
  expect(dryRun({ mode: 'yolo' }, found).changes).toHaveLength(3)
  expect(callsInJournal(events, [])).toMatchObject([{ tool: 'hello' }, { tool: 'hello' }, { tool: 'repeat' }])
})
