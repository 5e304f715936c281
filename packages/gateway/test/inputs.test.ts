import { paths } from '@toolbridge/api'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'
import { createTestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { savedInMemory } from './support/specs.ts'
import { questionsOf, untilAsked, untilServer } from './support/waiting.ts'

const lockbox = await openFileLockbox()

const hello = savedInMemory('hello')
const needing = { ...hello, env: { KEY: '${input:key}' } }

test('a value that a saved server needs is asked for once, and kept encrypted for that person', async () => {
  {
    await using gateway = createTestGateway({ lockbox })
    const ada = gateway.as('ada')
    await ada.post(paths.config, { mcpServers: { needing } })
    await untilServer(ada, 'needing', 'starting')
    const asked = await untilAsked(ada)
    expect(asked).toMatchObject({ kind: 'input', server: 'needing', input: { id: 'key', isSecret: false } })
    expect(await questionsOf(gateway.as('bob'))).toEqual([])
    await ada.post(paths.config, { mcpServers: { needing, hello } })
    await untilServer(ada, 'hello', 'ready')
    const [{ id }] = [await untilAsked(ada)]
    const refused = await ada.post(paths.answer(id), { action: 'accept', content: { value: 3 } })
    expect(refused.status).toBe(422)
    await ada.post(paths.answer(id), { action: 'accept', content: { value: canary('answer') } })
    await untilServer(ada, 'needing', 'ready')
  }
  await using gateway = createTestGateway({ lockbox })
  await untilServer(gateway.as('ada'), 'needing', 'ready')
  expect(await questionsOf(gateway.as('ada'))).toEqual([])
})

test('after a change of the command or the variable nothing is sent before the person answered again', async () => {
  await using gateway = createTestGateway({ lockbox })
  const bob = gateway.as('bob')
  await bob.post(paths.config, { mcpServers: { needing } })
  await untilServer(bob, 'needing', 'starting')
  await bob.post(paths.answer((await untilAsked(bob)).id), {
    action: 'accept',
    content: { value: canary('first') },
  })
  await untilServer(bob, 'needing', 'ready')
  const changed = { ...hello, env: { OTHER: '${input:key}' } }
  await bob.post(paths.config, { mcpServers: { needing: changed } })
  const asked = await untilAsked(bob)
  expect(asked.message).toMatch(
    /was entered for command [0-9a-f]{64} \(\/env\/KEY\), and would now be sent to/,
  )
  await bob.post(paths.answer(asked.id), { action: 'decline' })
})
