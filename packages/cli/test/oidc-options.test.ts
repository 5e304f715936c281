import { expect, test } from 'vitest'
import { oidcFrom } from '../src/oidc-options.ts'

const issuer = { 'oidc-issuer': 'https://login.example', 'oidc-audience': 'tools' }

test('an issuer and an audience are enough; the rest is optional, and the secret comes from the environment', () => {
  expect(oidcFrom({}, { env: {} })).toBeUndefined()
  expect(oidcFrom(issuer, { env: { TOOLBRIDGE_OIDC_CLIENT_SECRET: 's' } })).toEqual({
    issuer: 'https://login.example',
    audience: 'tools',
  })
  const all = {
    ...issuer,
    'oidc-client-id': 'console',
    'oidc-principal-claim': 'oid',
    'oidc-role-claim': 'groups',
    'oidc-admin': ['ops'],
  }
  expect(oidcFrom(all, { env: { TOOLBRIDGE_OIDC_CLIENT_SECRET: 's' } })).toEqual({
    issuer: 'https://login.example',
    audience: 'tools',
    clientId: 'console',
    clientSecret: 's',
    principalClaim: 'oid',
    roles: { claim: 'groups', member: [], admin: ['ops'] },
  })
})

test.each([
  ['an audience without an issuer', { 'oidc-audience': 'tools' }, /--oidc-audience needs --oidc-issuer\./],
  [
    'an issuer without an audience',
    { 'oidc-issuer': 'https://login.example' },
    /--oidc-issuer needs --oidc-audience\./,
  ],
  ['a client alone', { 'oidc-client-id': 'x' }, /needs --oidc-issuer and --oidc-audience\./],
  ['members without a claim', { ...issuer, 'oidc-member': ['staff'] }, /--oidc-role-claim needs/],
  ['a claim without values, which would admit nobody', { ...issuer, 'oidc-role-claim': 'groups' }, /needs/],
])('%s is refused', (_what, options, message) => {
  expect(() => oidcFrom(options, { env: {} })).toThrow(message)
})
