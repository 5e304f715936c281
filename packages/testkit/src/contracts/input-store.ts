import type { InputDestination } from '@toolbridge/bridge/config'
import type { CredentialKey, CredentialStore } from '@toolbridge/bridge/questions'
import { describe, expect, test } from 'vitest'
import { canary } from '../secrets/index.ts'

const key: CredentialKey = { principal: 'alice', server: 'github', id: 'token' }

const destination: InputDestination = {
  target: 'https://mcp.example:443',
  fields: ['/headers/authorization', '/headers/x-key'],
}

const others: readonly CredentialKey[] = [
  { ...key, principal: 'bob' },
  { ...key, server: 'GitHub' },
  { ...key, id: 'Token' },
  { principal: 'alice', server: 'githubtoken', id: '' },
]

/** The contract of every `CredentialStore`. `open` creates an empty one. */
export function describeInputStore(
  kind: string,
  open: () => CredentialStore | Promise<CredentialStore>,
): void {
  describe(`inputs ${kind}`, () => {
    test('are kept for a principal, server and id, until they are deleted', async () => {
      const store = await open()
      expect(await store.get(key, destination)).toBeUndefined()
      await store.set(key, canary('first'), destination)
      await store.set(key, canary('second'), destination)
      expect(await store.get({ ...key }, destination)).toBe(canary('second'))
      for (const other of others) expect(await store.get(other, destination)).toBeUndefined()
      for (const other of others) await store.delete(other)
      expect(await store.get(key, destination)).toBe(canary('second'))
      await store.delete(key)
      expect(await store.get(key, destination)).toBeUndefined()
      await store.delete(key)
    })

    test('may be empty or contain any text', async () => {
      const store = await open()
      for (const value of ['', ' \0\n"\u{1F511}']) {
        await store.set(key, value, destination)
        expect(await store.get(key, destination)).toBe(value)
      }
    })

    test.each<[string, InputDestination]>([
      ['another scheme', { ...destination, target: 'http://mcp.example:443' }],
      ['another host', { ...destination, target: 'https://evil.example:443' }],
      ['another port', { ...destination, target: 'https://mcp.example:8443' }],
      ['a command', { ...destination, target: `command ${'ab'.repeat(32)}` }],
      ['another header', { ...destination, fields: ['/headers/x-other'] }],
      ['one header more', { ...destination, fields: [...destination.fields, '/url'] }],
    ])(
      'are not given out for %s, and the error has the old and the new destination',
      async (_what, requested) => {
        const store = await open()
        await store.set(key, canary('bound'), destination)
        const refused = store.get(key, requested)
        await expect(refused).rejects.toMatchObject({
          name: 'DeniedError',
          code: 'destination_changed',
          stored: destination,
          requested,
          message: expect.stringContaining(
            'token of server "github" was entered for https://mcp.example:443 (',
          ),
        })
        await expect(refused).rejects.not.toThrow(canary('bound'))
        expect(await store.get(key, destination)).toBe(canary('bound'))
        await store.set(key, canary('again'), requested)
        expect(await store.get(key, requested)).toBe(canary('again'))
      },
    )

    test('are given out for fewer of the fields that they were entered for', async () => {
      const store = await open()
      await store.set(key, canary('bound'), destination)
      expect(await store.get(key, { ...destination, fields: ['/headers/x-key'] })).toBe(canary('bound'))
    })
  })
}
