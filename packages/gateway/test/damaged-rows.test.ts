import { paths } from '@toolbridge/api'
import { describeDatabase } from '@toolbridge/testkit/databases'
import { canary, canaryIn } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestLockbox, type TestLockbox } from '../../lockbox/test/support/test-lockbox.ts'
import { createTestGateway, type TestGateway } from './support/gateway.ts'

const changes: Readonly<Record<string, string>> = {
  cut: 'update lockbox.user_secrets set ciphertext = substring(ciphertext for 5) where owner = $1',
  emptied: `update lockbox.user_secrets set ciphertext = '' where owner = $1`,
  'moved to another version': 'update lockbox.user_secrets set version = 7 where owner = $1',
  'replaced by that of another person': `
    update lockbox.user_secrets t set ciphertext = s.ciphertext, iv = s.iv, auth_tag = s.auth_tag
    from lockbox.user_secrets s where t.owner = $1 and s.owner = 'bob'`,
}

describeDatabase('saved servers whose row was', (databases) => {
  let lockbox: TestLockbox
  let gateway: TestGateway
  beforeAll(async () => {
    lockbox = await openTestLockbox(await databases.location())
    gateway = createTestGateway({ lockbox, principals: [...Object.keys(changes).map(principalOf), 'bob'] })
    await gateway.as('bob').post(paths.config, { mcpServers: serversOf('bob') })
  })
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]()
    await lockbox.close()
  })

  test.each(Object.keys(changes))(
    '%s are a documented problem, which changes nothing and shows nothing',
    async (what) => {
      const name = principalOf(what)
      const person = gateway.as(name)
      await person.post(paths.config, { mcpServers: serversOf(name) })
      await lockbox.sql(changes[what] ?? '', [name])
      const rows = `select to_jsonb(t) - 'last_used_at' as row from lockbox.user_secrets t where owner = $1`
      const before = await lockbox.sql(rows, [name])
      const nodes = [{ id: 'one', kind: 'tool', tool: 'mcp://one/hello' }]
      const answers = [
        await person.get(paths.config),
        await person.get(`${paths.config}?masked=1`),
        await person.get(paths.server('one')),
        await person.delete(paths.server('one')),
        await person.post(paths.invoke, { workflowId: 'w', nodes }),
      ]
      for (const answer of answers) {
        const text = await answer.text()
        expect([answer.status, JSON.parse(text)]).toMatchObject([500, { code: 'damaged', status: 500 }])
        expect(canaryIn(text)).toBeUndefined()
      }
      expect(await lockbox.sql(rows, [name])).toEqual(before)
      const other = await gateway.as('bob').get(paths.config)
      expect(await other.json()).toMatchObject({ mcpServers: serversOf('bob') })
    },
  )
})

function principalOf(what: string): string {
  return what.replaceAll(' ', '-')
}

function serversOf(name: string): object {
  return { one: { url: 'https://tools.example/mcp', headers: { KEY: canary(name) }, disabled: true } }
}
