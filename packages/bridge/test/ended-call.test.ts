import { type BridgeEvent, type EndedCall, openBridge } from '@toolbridge/bridge'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'
import { inMemory } from './servers/in-memory.ts'
import { permissive } from './servers/specs.ts'

test('arguments and result of a call are observed before the journal says that it has finished', async () => {
  const seen: string[] = []
  const calls: EndedCall[] = []
  await using bridge = await openBridge({
    ...permissive([inMemory('hello')]),
    permissions: { mode: 'allow', deny: ['mcp://hello/repeat'] },
    journal: (event) => void (event.type === 'call.finished' && seen.push(`finished ${event.callId}`)),
    onCallEnd: (call) => {
      seen.push(`ended ${call.callId}`)
      calls.push(call)
    },
  })
  await bridge.call('hello__hello', { name: 'Ada' })
  await expect(bridge.call('hello__repeat', { text: 'x' })).rejects.toThrow('may not be called')
  const [first, second] = calls
  expect(seen).toEqual(
    [first, second].flatMap((call) => [`ended ${call?.callId}`, `finished ${call?.callId}`]),
  )
  expect(first).toMatchObject({ arguments: { name: 'Ada' }, result: { content: [{ text: 'Hello, Ada!' }] } })
  expect(second).toMatchObject({ arguments: { text: 'x' } })
  expect(second?.result).toBeUndefined()
  expect(first?.redact(`key ${canary('environment')}`)).not.toContain(canary('environment'))
})

test('a question in the journal names the call that led to it', async () => {
  const events: BridgeEvent[] = []
  await using bridge = await openBridge({
    ...permissive([inMemory('elicit')]),
    permissions: { mode: 'ask' },
    journal: (event) => void events.push(event),
  })
  const answerer = {
    ask: async ({ kind }: { kind: string }) =>
      ({ action: kind === 'approval' ? 'accept' : 'decline' }) as const,
  }
  await bridge.call('elicit__greet_me', {}, { answerer })
  const started = events.find((event) => event.type === 'call.started')
  const asked = events.filter((event) => event.type === 'question.asked')
  expect(asked.map(({ kind }) => kind)).toEqual(['approval', 'form'])
  expect(new Set(asked.map(({ callId }) => callId))).toEqual(new Set([started?.callId]))
})
