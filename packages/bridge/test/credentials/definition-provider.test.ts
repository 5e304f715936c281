import { createAuthProvider, memoryAuthStore } from '@toolbridge/client/auth'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'
import { definitionProvider } from '../../src/credentials/definition-provider.ts'

const events = { onFlow: () => undefined, onFound: () => undefined, onConnected: () => undefined }
const url = 'https://mcp.example.com/mcp'

async function clientAt(issuer: string, auth: object): Promise<string | undefined> {
  const host = createAuthProvider(memoryAuthStore(), {
    clientMetadata: {},
    redirectToAuthorization: () => undefined,
  })
  const definition = { url, auth: { clientId: 'by-hand', clientSecret: canary('client'), ...auth } }
  return (await definitionProvider(host, definition, events).clientInformation(issuer))?.client_id
}

test.each([
  ['https://mcp.example.com', {}],
  ['https://auth.example.com', { tokenUrl: 'https://auth.example.com/token' }],
  [
    'https://auth.example.com/a',
    { metadataUrl: 'https://auth.example.com/.well-known/oauth-authorization-server/a' },
  ],
])('the secret of a definition is for %s with %o', async (issuer, auth) => {
  expect(await clientAt(issuer, auth)).toBe('by-hand')
})

test.each([
  ['https://evil.example', {}],
  ['https://mcp.example.com:8443', {}],
  ['https://evil.example', { tokenUrl: 'https://auth.example.com/token' }],
  ['https://mcp.example.com', { tokenUrl: 'https://auth.example.com/token' }],
  ['https://evil.example', { tokenUrl: 'auth.example.com/token' }],
])('the secret of a definition is not sent to %s with %o', async (issuer, auth) => {
  expect(await clientAt(issuer, auth)).toBeUndefined()
})

test('a client without a secret is used wherever the server signs in', async () => {
  expect(await clientAt('https://auth.example.com', { clientSecret: undefined })).toBe('by-hand')
})
