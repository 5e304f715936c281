import { type OwnAuditResponse, paths } from '@toolbridge/api'
import { expect, test } from 'vitest'
import { createTestGateway } from './support/gateway.ts'
import { openTestLockbox } from './support/lockbox.ts'
import { savedInMemory } from './support/specs.ts'

test('a person sees when the own secrets were read, by name, and nothing of others', async () => {
  const lockbox = await openTestLockbox()
  await using gateway = createTestGateway({ lockbox })
  const [ada, bob] = [gateway.as('ada'), gateway.as('bob')]
  await ada.post(paths.config, { mcpServers: { hello: { ...savedInMemory('hello'), disabled: true } } })
  await ada.get(paths.config)
  const { entries }: OwnAuditResponse = await (await ada.get(paths.ownAudit)).json()
  expect(entries[0]).toMatchObject({ action: 'read', kind: 'setting', name: ['mcp', 'servers', '1'] })
  expect((await (await ada.get(`${paths.ownAudit}?limit=1`)).json()).entries).toHaveLength(1)
  expect(await (await bob.get(paths.ownAudit)).json()).toEqual({ entries: [] })
  expect(await (await ada.get(`${paths.ownAudit}?limit=0`)).json()).toMatchObject({
    status: 422,
    issues: [{ path: '/limit' }],
  })
  await lockbox.close()
})
