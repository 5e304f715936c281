import { type CredentialsResponse, paths } from '@toolbridge/api'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'
import { createTestGateway } from './support/gateway.ts'
import { openTestLockbox } from './support/lockbox.ts'

test('a person sees the names of the own stored values, can delete them, and never sees a value', async () => {
  const lockbox = await openTestLockbox()
  await using gateway = createTestGateway({ lockbox })
  const [ada, bob] = [gateway.as('ada'), gateway.as('bob')]
  const destination = { target: 'https://files.example:443', fields: ['/headers/key'] }
  for (const id of ['key', 'a/b'])
    await lockbox.inputs.set({ principal: 'ada', server: 'files', id }, canary('entered'), destination)
  const listed: CredentialsResponse = await (await ada.get(paths.credentials)).json()
  expect(listed).toEqual({
    inputs: [
      { server: 'files', id: 'key' },
      { server: 'files', id: 'a/b' },
    ],
    accounts: [],
  })
  expect(await (await bob.get(paths.credentials)).json()).toEqual({ inputs: [], accounts: [] })
  expect(await (await bob.delete(paths.credential('files', 'key'))).json()).toMatchObject({
    status: 404,
    code: 'unknown_credential',
  })
  expect((await ada.delete(paths.credential('files', 'a/b'))).status).toBe(200)
  expect((await ada.delete(paths.credential('files', 'a/b'))).status).toBe(404)
  expect(await (await ada.get(paths.credentials)).json()).toEqual({
    inputs: [{ server: 'files', id: 'key' }],
    accounts: [],
  })
  await lockbox.close()
})
