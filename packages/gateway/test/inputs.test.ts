import { paths } from '@toolbridge/api'
import type { ServerSpec } from '@toolbridge/bridge'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'
import { linkInMemory } from '../../bridge/test/servers/in-memory.ts'
import { createTestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { inMemory, savedInMemory } from './support/specs.ts'
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

const program = { ...hello, env: { KEY: '${input:key}' } }
const remote = { url: 'https://mcp.example/mcp', headers: { 'X-Key': '${input:key}' } }

test.each<[string, object, object]>([
  ['the command', program, { ...program, args: [...hello.args, '--more'] }],
  ['the variable', program, { ...program, env: { OTHER: '${input:key}' } }],
  ['the host', remote, { ...remote, url: 'https://other.example/mcp' }],
  ['the scheme', remote, { ...remote, url: 'http://mcp.example/mcp' }],
  ['the header', remote, { ...remote, headers: { 'X-Other': '${input:key}' } }],
])(
  'after a change of %s nothing is sent before the person answered again',
  async (_what, before, changed) => {
    const started: ServerSpec[] = []
    await using gateway = createTestGateway({
      lockbox,
      transportOf: (spec) => {
        started.push(spec)
        return linkInMemory(inMemory('hello', spec.name))
      },
    })
    const bob = gateway.as('bob')
    const answer = async (value: string): Promise<void> => {
      const { id } = await untilAsked(bob)
      expect(started).toEqual([])
      await bob.post(paths.answer(id), { action: 'accept', content: { value } })
      await expect.poll(() => started.length).toBe(1)
    }
    await bob.post(paths.config, { mcpServers: { needing: before } })
    await untilServer(bob, 'needing', 'starting')
    await answer(canary('first'))
    expect(JSON.stringify(started.splice(0))).toContain(canary('first'))
    await bob.post(paths.config, { mcpServers: { needing: changed } })
    expect((await untilAsked(bob)).message).toMatch(/was entered for .+, and would now be sent to /)
    await answer(canary('second'))
    expect(JSON.stringify(started)).not.toContain(canary('first'))
    expect(JSON.stringify(started)).toContain(canary('second'))
    await bob.post(paths.config, { mcpServers: {} })
  },
)
