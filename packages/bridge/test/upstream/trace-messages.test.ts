import { type BridgeMessage, openBridge } from '@toolbridge/bridge'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'
import { inMemory } from '../servers/in-memory.ts'
import { permissive } from '../servers/specs.ts'

test('every message is traced in order, with the questions of the server, and without what people answer [C18]', async () => {
  const messages: BridgeMessage[] = []
  const name = canary('answer')
  await using bridge = await openBridge({
    ...permissive([inMemory('elicit')]),
    answerer: { ask: async () => ({ action: 'accept', content: { name } }) },
    onMessage: (message) => messages.push(message),
  })
  await bridge.call('elicit__greet_me')
  const told = messages.map(({ server, direction, text }) => {
    const { method, result } = JSON.parse(text)
    return [server, direction, method ?? Object.keys(result ?? { error: true })[0]].join(' ')
  })
  expect(told).toEqual([
    'elicit sent server/discover',
    'elicit received error',
    'elicit sent initialize',
    'elicit received protocolVersion',
    'elicit sent notifications/initialized',
    'elicit sent tools/list',
    'elicit received tools',
    'elicit sent tools/call',
    'elicit received elicitation/create',
    'elicit sent action',
    'elicit received content',
  ])
  const texts = messages.map(({ text }) => text).join('\n')
  expect(texts).not.toContain(name)
  expect(messages.at(-1)?.text).toContain('Hello, [redacted]!')
})
