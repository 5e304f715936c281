import { canary } from '@toolbridge/testkit/secrets'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callbackParameters, processCallback } from '../../src/auth/grants/callback.ts'
import { chooseClient } from '../../src/auth/registration/client-choice.ts'
import type { ClientAuthentication } from '../../src/auth/registration/client-authentication.ts'
import { createDpopKey, withDpopProof } from '../../src/auth/dpop/dpop-proof.ts'
import type { AuthRequest, AuthResponse } from '../../src/auth/messages/auth-request.ts'
import { McpAuthError } from '../../src/auth/messages/mcp-auth-error.ts'
import { formEncoded } from '../../src/auth/messages/form-encoding.ts'
import {
  identityAssertionRequest,
  jwtBearerRequest,
  processIdentityAssertion,
} from '../../src/auth/grants/machine-token-requests.ts'
import { processRegistration, registrationRequest } from '../../src/auth/registration/registration.ts'
import {
  processResourceMetadata,
  resourceMetadataRequests,
} from '../../src/auth/discovery/resource-metadata.ts'
import { processRevocation, revocationRequest } from '../../src/auth/tokens/revocation.ts'
import { processServerMetadata, serverMetadataRequests } from '../../src/auth/discovery/server-metadata.ts'
import { importSigningKey } from '../../src/auth/crypto/signing-key.ts'
import {
  authorizationCodeRequest,
  processTokens,
  refreshRequest,
} from '../../src/auth/tokens/token-endpoint.ts'
import { allTextOf } from './fixtures/requests.ts'
import { GENERATED_TIMEOUT_MS, inputs } from '../support/generated.ts'
import { rfc8037Ed25519Key } from './fixtures/rfc-keys.ts'

/** Everything that must not be shown, each easy to find and none a part of a word that may be. */
const secrets = {
  code: `${canary('code')}+/`,
  verifier: canary('verifier'),
  refresh: `${canary('refresh')}.~`,
  client: `${canary('client')} &`,
  assertion: canary('assertion'),
  subject: canary('subject'),
  access: canary('access'),
  state: canary('state'),
} as const

const key = await importSigningKey(rfc8037Ed25519Key)
const ways: readonly ClientAuthentication[] = [
  { method: 'none', clientId: 'c' },
  { method: 'client_secret_basic', clientId: 'c', clientSecret: secrets.client },
  { method: 'client_secret_post', clientId: 'c', clientSecret: secrets.client },
  { method: 'private_key_jwt', clientId: 'c', key, audience: 'https://as.example' },
]

type Exchange = readonly [request: AuthRequest, process: (response: AuthResponse) => unknown]

async function tokenExchanges(authentication: ClientAuthentication): Promise<readonly Exchange[]> {
  const target = {
    tokenEndpoint: `https://as.example/token?k=${secrets.access}`,
    authentication,
    resource: 'https://h.example',
  }
  const grants = [
    await authorizationCodeRequest(target, {
      code: secrets.code,
      codeVerifier: secrets.verifier,
      redirectUri: 'https://a.example/c',
    }),
    await refreshRequest(target, { refreshToken: secrets.refresh }),
    await withDpopProof(
      await jwtBearerRequest(target, { assertion: secrets.assertion }),
      await createDpopKey(),
    ),
  ]
  const exchange = await identityAssertionRequest(target, {
    subjectToken: secrets.subject,
    subjectTokenType: 'id_token',
    audience: 'https://as.example',
  })
  const revocation = await revocationRequest(
    { revocationEndpoint: `https://as.example/revoke?k=${secrets.access}`, authentication },
    { token: secrets.refresh, hint: 'refresh_token' },
  )
  return [
    ...grants.map(
      (request): Exchange => [request, (response) => processTokens(response, { request, nowMs: 0 })],
    ),
    [exchange, (response) => processIdentityAssertion(response, { request: exchange, nowMs: 0 })],
    [revocation, (response) => processRevocation(response, { request: revocation })],
  ]
}

function otherExchanges(): readonly Exchange[] {
  const registration = registrationRequest(`https://as.example/register?k=${secrets.access}`, {})
  const serverUrl = `https://h.example/mcp?k=${secrets.access}`
  const [resource] = resourceMetadataRequests(serverUrl, `https://h.example/m?k=${secrets.access}`)
  const [server] = serverMetadataRequests('https://as.example')
  if (resource === undefined || server === undefined) throw new Error('there is always a place to ask')
  const rules = { request: server, issuer: 'https://as.example', needsPerson: true }
  return [
    [registration, (response) => processRegistration(response, { request: registration })],
    [resource, (response) => processResourceMetadata(response, { request: resource, serverUrl })],
    [server, (response) => processServerMetadata(response, rules)],
  ]
}

const exchanges = [...(await Promise.all(ways.map((way) => tokenExchanges(way)))).flat(), ...otherExchanges()]

/** Text of a hostile or broken server that repeats what it was sent, as it came or decoded. */
function echoOf(request: AuthRequest): string {
  const values = [...new URLSearchParams(request.body ?? '').values()]
  const [scheme, credentials = ''] = (request.headers['authorization'] ?? '').split(' ')
  const basic = scheme === 'Basic' ? atob(credentials) : ''
  return [
    request.body,
    request.url,
    ...values,
    ...Object.values(request.headers),
    basic,
    // As it reads once it is decoded, where it was sent.
    basic === '' ? '' : secrets.client,
  ].join(' ')
}

const member = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.string()),
  fc.constant('https://as.example'),
  fc.constant(secrets.access),
  fc.constant('ECHO'),
)
const names = [
  'error',
  'error_description',
  'access_token',
  'token_type',
  'expires_in',
  'refresh_token',
  'scope',
  'issuer',
  'token_endpoint',
  'authorization_endpoint',
  'resource',
  'authorization_servers',
  'client_id',
  'client_secret',
  'issued_token_type',
]
const body = fc.oneof(
  fc.string({ unit: fc.nat({ max: 0xff_ff }).map((code) => String.fromCharCode(code)) }),
  fc.constant('ECHO'),
  fc.json(),
  fc
    .record({ error: fc.constantFrom('invalid_request', 'ECHO'), error_description: member })
    .map((document) => JSON.stringify(document)),
  fc.dictionary(fc.constantFrom(...names), member).map((document) => JSON.stringify(document)),
)
const response = fc.record({
  status: fc.constantFrom(200, 200, 201, 400, 401, 403, 404, 500),
  headers: fc.constantFrom(
    {},
    { 'content-type': 'application/json' },
    { 'content-type': 'text/html' },
    { 'content-type': `text/${secrets.access}` },
  ),
  body,
})

test(
  'whatever a server answers, an exchange gives a result or an error of authorization that shows no secret',
  () =>
    fc.assert(
      fc.property(fc.constantFrom(...exchanges), response, ([request, process], generated) => {
        const echo = JSON.stringify(echoOf(request)).slice(1, -1)
        const hostile = { ...generated, body: generated.body.replaceAll('ECHO', () => echo) }
        const error = failureOf(() => process(hostile))
        if (error === undefined) return
        expect(error).toBeInstanceOf(McpAuthError)
        expect(error).toMatchObject({ stage: request.stage, fix: expect.stringMatching(/^\w.{10,}/) })
        for (const secret of secretsSentIn(request)) expect(allTextOf(error)).not.toContain(secret)
      }),
      inputs(300, 20_000),
    ),
  GENERATED_TIMEOUT_MS,
)

test('a refusal that repeats what was sent is shown without it', () => {
  for (const [request, process] of exchanges.filter(([{ method }]) => method === 'POST')) {
    const refusal = { error: 'invalid_request', error_description: 'PLACE' }
    for (const secret of secretsSentIn(request)) {
      const text = JSON.stringify(refusal).replace('PLACE', () =>
        JSON.stringify(`bad ${secret} here`).slice(1, -1),
      )
      const error = failureOf(() =>
        process({ status: 400, headers: { 'content-type': 'application/json' }, body: text }),
      )
      expect(error?.message).toContain('"bad [masked] here"')
      expect(allTextOf(error ?? new McpAuthError('', unusedOptions))).not.toContain(secret)
    }
  }
})

test('an error code that repeats a secret is not believed to be one', () => {
  for (const [request, process] of exchanges.filter(([{ method }]) => method === 'POST')) {
    for (const secret of secretsSentIn(request)) {
      const error = failureOf(() =>
        process({ status: 400, headers: {}, body: JSON.stringify({ error: secret }) }),
      )
      expect(error?.oauthError).toBe('an invalid error code')
    }
  }
})

test('neither a callback nor the choice of a client shows what it is about', () => {
  const expected = { state: secrets.state, issuer: 'https://as.example', issuerIsPromised: true }
  const query = `code=${encodeURIComponent(secrets.code)}&state=`
  const failures = [
    failureOf(() => processCallback(callbackParameters(`${query}x`), expected)),
    failureOf(() => processCallback(callbackParameters(`${query}${secrets.state}`), expected)),
    failureOf(() => processCallback(callbackParameters(`${query}${secrets.state}&iss=x&code=2`), expected)),
    failureOf(() =>
      chooseClient({
        server: { issuer: 'https://as.example', token_endpoint: 'https://as.example/token' },
        configured: { client_id: 'c', client_secret: secrets.client, client_secret_expires_at: 1 },
        nowMs: Date.now(),
      }),
    ),
  ]
  for (const error of failures) {
    if (error === undefined) throw new Error('each of these has to fail')
    for (const secret of Object.values(secrets)) expect(allTextOf(error)).not.toContain(secret)
  }
})

const unusedOptions = { code: 'token_refused', stage: 'token', fix: '' } as const

/** The secrets of this file that a request carries in any form, and the proofs that were made for it. */
function secretsSentIn(request: AuthRequest): readonly string[] {
  const values = [...new URLSearchParams(request.body ?? '').values()]
  const inUrl = new URL(request.url).searchParams.values()
  const sent = [...values, ...inUrl, ...Object.values(request.headers), atobOrNothing(request)].join(' ')
  const form = new URLSearchParams(request.body ?? '')
  const made = [form.get('client_assertion'), request.headers['dpop'], credentialsOf(request)]
  const known = Object.values(secrets).filter(
    (secret) => sent.includes(secret) || sent.includes(formEncoded(secret)),
  )
  const whole = [...known, ...made.filter((text) => typeof text === 'string' && text !== '')] as string[]
  return [...new Set(whole.flatMap((text) => [text, formEncoded(text), encodeURIComponent(text)]))]
}

function credentialsOf(request: AuthRequest): string {
  return request.headers['authorization']?.split(' ')[1] ?? ''
}

function atobOrNothing(request: AuthRequest): string {
  return request.headers['authorization']?.startsWith('Basic ') === true ? atob(credentialsOf(request)) : ''
}

function failureOf(action: () => unknown): McpAuthError | undefined {
  try {
    action()
    return undefined
  } catch (error) {
    if (error instanceof McpAuthError) return error
    throw error
  }
}
