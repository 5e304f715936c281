import { setImmediate } from 'node:timers/promises'
import { type BridgeEvent, openBridge, toText } from '@toolbridge/bridge'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'
import { inMemory } from '../servers/in-memory.ts'
import { fixture, permissive, plainServer } from '../servers/specs.ts'

test('the journal tells a call from start to finish, and neither arguments nor results', async () => {
  const events: BridgeEvent[] = []
  await using bridge = await openBridge({
    ...permissive([{ ...fixture('hello'), env: { TOKEN: canary('environment') } }]),
    journal: (event) => events.push(event),
  })
  await bridge.call('hello__hello', { name: canary('argument') })
  const started = events.findIndex((event) => event.type === 'call.started')
  expect(events.slice(started)).toEqual([
    expect.objectContaining({
      type: 'call.started',
      tool: 'hello__hello',
      server: 'hello',
      at: expect.any(Date),
    }),
    expect.objectContaining({ type: 'permission.decided', verdict: 'allow', reason: 'mode allow' }),
    expect.objectContaining({ type: 'call.finished', outcome: 'ok', latencyMs: expect.any(Number) }),
  ])
  const ids = events.flatMap((event) => ('callId' in event ? [event.callId] : []))
  expect(new Set(ids).size).toBe(1)
  expect(JSON.stringify(events)).not.toMatch(/Kanarienvogel/)
})

test('a call that the tool reports as failed is told apart from one that failed', async () => {
  const events: BridgeEvent[] = []
  await using bridge = await openBridge({
    ...permissive([inMemory('hello')]),
    journal: (event) => events.push(event),
  })
  expect((await bridge.call('hello__repeat', { text: 7 })).isError).toBe(true)
  await bridge.call('hello__hello', {}, { signal: AbortSignal.abort() }).catch(() => {})
  const outcomes = events.flatMap((event) => (event.type === 'call.finished' ? [event.outcome] : []))
  expect(outcomes).toEqual(['tool_error', 'cancelled'])
})

test('a journal that throws changes nothing', async () => {
  await using bridge = await openBridge({
    ...permissive([inMemory('hello')]),
    journal: () => {
      throw new Error('disk full')
    },
  })
  expect(toText(await bridge.call('hello__hello'))).toBe('Hello, world!')
})

test('a journal or a hook that fails later changes nothing either', async () => {
  const fail: () => unknown = async () => {
    throw new Error('disk full')
  }
  const failures: unknown[] = []
  const onRejection = (reason: unknown): void => void failures.push(reason)
  process.on('unhandledRejection', onRejection)
  try {
    await using bridge = await openBridge({
      ...permissive([inMemory('hello'), fixture('hostile', 'crashing', '--crash-before-initialize')]),
      journal: fail,
      hooks: { onMcpConnect: fail, onMcpToolCall: fail, onMcpError: fail },
    })
    expect(toText(await bridge.call('hello__hello'))).toBe('Hello, world!')
    await setImmediate()
    expect(failures).toEqual([])
  } finally {
    process.off('unhandledRejection', onRejection)
  }
})

test('resources that are read and prompts that are filled in are told with their time, and how they failed', async () => {
  const events: BridgeEvent[] = []
  await using bridge = await openBridge({
    ...permissive([plainServer('plain'), inMemory('hello')]),
    journal: (event) => events.push(event),
  })
  await bridge.resources.read('plain', 'memo://a')
  await bridge.prompts.get('plain', 'review')
  await bridge.resources.read('hello', 'memo://none').catch(() => {})
  const requests = events.filter(({ type }) => type.startsWith('request.'))
  const origin = { principal: 'local', conversation: 'main' }
  expect(requests).toMatchObject([
    { type: 'request.started', method: 'resources/read', server: 'plain', item: 'memo://a', origin },
    { type: 'request.finished', method: 'resources/read', latencyMs: expect.any(Number) },
    { type: 'request.started', method: 'prompts/get', item: 'review' },
    { type: 'request.finished', method: 'prompts/get' },
    { type: 'request.started', server: 'hello' },
    { type: 'request.finished', server: 'hello', failure: { code: expect.any(Number) } },
  ])
})
