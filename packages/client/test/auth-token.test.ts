import { describe, expect, test } from 'vitest'
import {
  authenticatedForm,
  chooseClientAuthentication,
  type ClientAuthentication,
} from '../src/auth/client-authentication.ts'
import type { AuthResponse } from '../src/auth/exchange.ts'
import {
  clientCredentialsRequest,
  identityAssertionRequest,
  jwtBearerRequest,
  processIdentityAssertion,
} from '../src/auth/machine.ts'
import { processRevocation, revocationRequest } from '../src/auth/revocation.ts'
import { importSigningKey } from '../src/auth/signing-key.ts'
import {
  authorizationCodeRequest,
  processTokens,
  refreshRequest,
  type TokenExpectation,
} from '../src/auth/token.ts'
import { answer, authFailure, decodedJwt, formOf } from './auth-exchange.ts'
import { rfc8037Ed25519Key } from './rfc-keys.ts'

const ENDPOINT = 'https://as.example/token'
const RESOURCE = 'https://h.example'
const none: ClientAuthentication = { method: 'none', clientId: 'c1' }
const target = { tokenEndpoint: ENDPOINT, authentication: none, resource: RESOURCE }

describe('a token request', () => {
  test('for a code', async () => {
    const request = await authorizationCodeRequest(target, {
      code: 'co+de',
      codeVerifier: 'verifier',
      redirectUri: 'http://127.0.0.1:1/c',
    })
    expect(request).toMatchObject({
      method: 'POST',
      url: ENDPOINT,
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      stage: 'token',
    })
    expect(formOf(request)).toEqual({
      grant_type: 'authorization_code',
      code: 'co+de',
      code_verifier: 'verifier',
      redirect_uri: 'http://127.0.0.1:1/c',
      resource: RESOURCE,
      client_id: 'c1',
    })
  })

  test('for fresh tokens', async () => {
    const request = await refreshRequest(target, { refreshToken: 'r1' })
    expect(request.stage).toBe('refresh')
    expect(formOf(request)).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'r1',
      resource: RESOURCE,
      client_id: 'c1',
    })
    const narrower = await refreshRequest(
      { ...target, resource: undefined },
      { refreshToken: 'r1', scope: 'a' },
    )
    expect(formOf(narrower)).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'r1',
      scope: 'a',
      client_id: 'c1',
    })
  })

  test('of a machine', async () => {
    expect(formOf(await clientCredentialsRequest(target, { scope: 'a b' }))).toEqual({
      grant_type: 'client_credentials',
      scope: 'a b',
      resource: RESOURCE,
      client_id: 'c1',
    })
    expect(formOf(await clientCredentialsRequest(target))).not.toHaveProperty('scope')
  })

  test('of a workload, which has no client id', async () => {
    const request = await jwtBearerRequest(
      { ...target, authentication: { method: 'anonymous' } },
      { assertion: 'a.b.c' },
    )
    expect(request.headers).not.toHaveProperty('authorization')
    expect(formOf(request)).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: 'a.b.c',
      resource: RESOURCE,
    })
  })

  test('to an identity provider', async () => {
    const request = await identityAssertionRequest(
      { ...target, tokenEndpoint: 'https://idp.example/token' },
      { subjectToken: 'id', subjectTokenType: 'id_token', audience: 'https://as.example', scope: 'a' },
    )
    expect(formOf(request)).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
      audience: 'https://as.example',
      resource: RESOURCE,
      scope: 'a',
      subject_token: 'id',
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      client_id: 'c1',
    })
  })
})

describe('a client authenticates', () => {
  const form = (authentication: ClientAuthentication): ReturnType<typeof authenticatedForm> =>
    authenticatedForm({ url: ENDPOINT, stage: 'token', authentication }, { a: 'b', nothing: undefined })

  test.each([
    // The examples of RFC 6749 section 2.3.1 and of its appendix B, in both places.
    ['s6BhdRkqt3', '7Fjfp0ZBr1KtDRbnfVdmIw', 'Basic czZCaGRSa3F0Mzo3RmpmcDBaQnIxS3REUmJuZlZkbUl3'],
    [' %&+£€', 'a:b', `Basic ${btoa('+%25%26%2B%C2%A3%E2%82%AC:a%3Ab')}`],
    [
      'https://client.example/c',
      ' %&+£€',
      `Basic ${btoa('https%3A%2F%2Fclient.example%2Fc:+%25%26%2B%C2%A3%E2%82%AC')}`,
    ],
  ])('as %j with %j in a header', async (clientId, clientSecret, header) => {
    const request = await form({ method: 'client_secret_basic', clientId, clientSecret })
    expect(request.headers['authorization']).toBe(header)
    expect(formOf(request)).toEqual({ a: 'b' })
  })

  test('in the form', async () => {
    const request = await form({ method: 'client_secret_post', clientId: 'c&1', clientSecret: 's=1' })
    expect(request.headers).not.toHaveProperty('authorization')
    expect(formOf(request)).toEqual({ a: 'b', client_id: 'c&1', client_secret: 's=1' })
  })

  test('with a signed assertion', async () => {
    const key = await importSigningKey(rfc8037Ed25519Key, { kid: 'k1' })
    const authentication = {
      method: 'private_key_jwt',
      clientId: 'c1',
      key,
      audience: 'https://as.example',
    } as const
    const { client_assertion: assertion = '', ...rest } = formOf(await form(authentication))
    expect(rest).toEqual({
      a: 'b',
      client_id: 'c1',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    })
    const { header, claims } = decodedJwt(assertion)
    expect(header).toEqual({ alg: 'EdDSA', kid: 'k1', typ: 'JWT' })
    expect(claims).toMatchObject({ iss: 'c1', sub: 'c1', aud: 'https://as.example' })
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(300)
    const other = decodedJwt(formOf(await form(authentication))['client_assertion'] ?? '')
    expect(other.claims['jti']).not.toBe(claims['jti'])
  })
})

describe('the way to authenticate', async () => {
  const key = await importSigningKey(rfc8037Ed25519Key)
  const secret = { client_id: 'c', client_secret: 's' }
  const basic = ['client_secret_basic', 'client_secret_post', 'none']
  const choices: readonly (readonly [
    client: Parameters<typeof chooseClientAuthentication>[0]['client'],
    supported: readonly string[] | undefined,
    hasKey: boolean,
    method: string,
  ])[] = [
    [{ client_id: 'c' }, undefined, false, 'none'],
    [{ client_id: 'c' }, basic, false, 'none'],
    [{ client_id: 'c' }, ['client_secret_basic'], false, 'none'],
    [secret, undefined, false, 'client_secret_basic'],
    [secret, basic, false, 'client_secret_basic'],
    [secret, ['client_secret_post', 'none'], false, 'client_secret_post'],
    [secret, ['none'], false, 'none'],
    [secret, ['tls_client_auth'], false, 'client_secret_basic'],
    [{ ...secret, token_endpoint_auth_method: 'client_secret_post' }, basic, false, 'client_secret_post'],
    [{ ...secret, token_endpoint_auth_method: 'none' }, basic, false, 'none'],
    [{ client_id: 'c' }, undefined, true, 'private_key_jwt'],
    [secret, ['private_key_jwt', ...basic], true, 'private_key_jwt'],
    [secret, basic, true, 'client_secret_basic'],
    [{ client_id: 'c', token_endpoint_auth_method: 'private_key_jwt' }, undefined, true, 'private_key_jwt'],
  ]
  test.each(choices)(
    'for %j where %j is offered, with a key: %s, is %s',
    (client, supported, hasKey, method) => {
      const server = {
        issuer: 'https://as.example',
        ...(supported !== undefined && { token_endpoint_auth_methods_supported: supported }),
      }
      const chosen = chooseClientAuthentication({ client, server, ...(hasKey && { key }) })
      expect(chosen).toMatchObject({ method, clientId: 'c' })
      if (chosen.method === 'private_key_jwt') expect(chosen.audience).toBe('https://as.example')
    },
  )

  test('may name another audience than the issuer', () => {
    const server = { issuer: 'https://as.example' }
    const chosen = chooseClientAuthentication({ client: { client_id: 'c' }, server, key, audience: ENDPOINT })
    expect(chosen).toMatchObject({ audience: ENDPOINT })
  })

  test.each([
    ['client_secret_basic', 'asks for client_secret_basic, and there is no client secret'],
    ['client_secret_post', 'asks for client_secret_post, and there is no client secret'],
    ['private_key_jwt', 'asks for private_key_jwt, and there is no key'],
    ['tls_client_auth', 'asks for an authentication that is not known here'],
  ])('%s is refused where it cannot be done', async (method, what) => {
    const client = { client_id: 'c', token_endpoint_auth_method: method }
    const error = await authFailure(() =>
      chooseClientAuthentication({ client, server: { issuer: 'https://as.example' } }),
    )
    expect(error).toMatchObject({ code: 'client_authentication_unsupported', stage: 'token' })
    expect(error.message).toBe(
      `the registration at https://as.example ${what}; configure what is missing, or register the client for none, client_secret_basic, client_secret_post or private_key_jwt`,
    )
  })
})

const NOW_MS = 1_800_000_000_000
const refresh = await refreshRequest(target, { refreshToken: 'r1' })
const exchange = await authorizationCodeRequest(target, {
  code: 'c',
  codeVerifier: 'v',
  redirectUri: 'https://a/c',
})

function processed(response: AuthResponse, expected: Partial<TokenExpectation> = {}): unknown {
  return processTokens(response, { request: exchange, nowMs: NOW_MS, ...expected })
}

describe('tokens', () => {
  test('are read from the example of RFC 6749 section 5.1', () => {
    const body = {
      access_token: '2YotnFZFEjr1zCsicMWpAA',
      token_type: 'example',
      expires_in: 3600,
      refresh_token: 'tGzv3JOkF0XG5Qx2TlKWIA',
      example_parameter: 'example_value',
    }
    expect(processed(answer({ ...body, token_type: 'Bearer' }))).toEqual({
      access_token: '2YotnFZFEjr1zCsicMWpAA',
      token_type: 'Bearer',
      expiresAtMs: NOW_MS + 3_600_000,
      refresh_token: 'tGzv3JOkF0XG5Qx2TlKWIA',
    })
  })

  test.each(['Bearer', 'bearer', 'BEARER'])('may be of the type %s', (token_type) => {
    expect(processed(answer({ access_token: 't', token_type }))).toEqual({
      access_token: 't',
      token_type: 'Bearer',
    })
  })

  test('have the scope that was asked for unless the answer says otherwise', () => {
    const body = { access_token: 't', token_type: 'bearer' }
    expect(processed(answer(body), { requestedScope: 'a b' })).toMatchObject({ scope: 'a b' })
    expect(processed(answer({ ...body, scope: 'a' }), { requestedScope: 'a b' })).toMatchObject({
      scope: 'a',
    })
    expect(processed(answer({ ...body, scope: '' }), { requestedScope: 'a b' })).toMatchObject({
      scope: 'a b',
    })
  })

  test('keep the refresh token and scope that they replace if the answer has none', () => {
    const previous = { access_token: 'old', token_type: 'Bearer', refresh_token: 'r1', scope: 'a' } as const
    const body = { access_token: 't', token_type: 'bearer', refresh_token: null }
    expect(processed(answer(body), { request: refresh, previous })).toEqual({
      access_token: 't',
      token_type: 'Bearer',
      refresh_token: 'r1',
      scope: 'a',
    })
    const rotated = { ...body, refresh_token: 'r2', scope: 'b' }
    expect(processed(answer(rotated), { request: refresh, previous })).toMatchObject({
      refresh_token: 'r2',
      scope: 'b',
    })
  })

  test.each([
    [3600, NOW_MS + 3_600_000],
    ['3600', NOW_MS + 3_600_000],
    [0, NOW_MS],
    [null, undefined],
    [undefined, undefined],
  ])('with expires_in %j expire at %s', (expires_in, expiresAtMs) => {
    const tokens = processed(answer({ access_token: 't', token_type: 'bearer', expires_in }))
    expect(tokens).toEqual({
      access_token: 't',
      token_type: 'Bearer',
      ...(expiresAtMs !== undefined && { expiresAtMs }),
    })
  })

  test('that are bound to a key need a proof, and a proof may be required', async () => {
    const proven = { ...exchange, headers: { ...exchange.headers, dpop: 'proof' } }
    const dpop = answer({ access_token: 't', token_type: 'dpop' })
    const bearer = answer({ access_token: 't', token_type: 'bearer' })
    expect(processed(dpop, { request: proven, requiresDpop: true })).toMatchObject({ token_type: 'DPoP' })
    expect(processed(bearer, { request: proven })).toMatchObject({ token_type: 'Bearer' })
    const failures = [
      await authFailure(() => processed(dpop)),
      await authFailure(() => processed(bearer, { request: proven, requiresDpop: true })),
      await authFailure(() => processed(answer({ access_token: 't', token_type: 'mac' }))),
    ]
    expect(failures.map(({ code }) => code)).toEqual(Array(3).fill('token_type_unsupported'))
    expect(failures.map(({ message }) => message.split(';')[0])).toEqual([
      'the token endpoint https://as.example/token gave a token that is bound to a key, and no proof of one was sent',
      'the token endpoint https://as.example/token gave a token that is not bound to our key',
      'the token endpoint https://as.example/token gave a token of a type that is not known here',
    ])
  })
})

describe('an answer without tokens', () => {
  const again = 'log in again'
  const fewer = 'ask for fewer scopes, or have them allowed for this client'
  const client =
    'check the client id, its secret or key and how it authenticates, or have the client registered again'
  const nonce = 'send the request again with the nonce of the DPoP-Nonce header'
  const other =
    'check that this client may use this grant for this resource, with whoever runs the authorization server'
  const refusals: readonly (readonly [error: string, code: string, fix: string])[] = [
    ['invalid_grant', 'invalid_grant', again],
    ['invalid_client', 'invalid_client', client],
    ['unauthorized_client', 'invalid_client', client],
    ['invalid_scope', 'invalid_scope', fewer],
    ['use_dpop_nonce', 'use_dpop_nonce', nonce],
    ['invalid_target', 'token_refused', other],
    ['unsupported_grant_type', 'token_refused', other],
    ['constructor', 'token_refused', other],
  ]

  test.each(refusals.flatMap((refusal) => [200, 400, 401].map((status) => [...refusal, status] as const)))(
    'because of %s is %s, and one can %s (status %d)',
    async (oauthError, code, fix, status) => {
      const body = { error: oauthError, error_description: 'words', access_token: null }
      for (const request of [exchange, refresh]) {
        const error = await authFailure(() => processed(answer(body, { status }), { request }))
        expect(error).toMatchObject({ code, fix, oauthError, status, stage: request.stage })
        expect(error.message).toBe(
          `the token endpoint https://as.example/token gave no token: ${oauthError} ("words") (status ${status}); ${fix}`,
        )
      }
    },
  )

  const whole = { access_token: 't', token_type: 'bearer' }
  const malformed: readonly (readonly [body: unknown, type: string, status: number, what: string])[] = [
    ['', 'application/json', 200, 'did not answer with a JSON object'],
    ['{"access_token":"t', 'application/json', 200, 'did not answer with a JSON object'],
    ['[{"access_token":"t"}]', 'application/json', 200, 'did not answer with a JSON object'],
    ['<!doctype html><p>', 'text/html', 200, 'answered with text/html instead of JSON'],
    ['<!doctype html><p>', 'text/html; charset=utf-8', 403, 'answered with text/html instead of JSON'],
    [whole, 'text/plain', 200, 'answered with text/plain instead of JSON'],
    [
      'access_token=t&token_type=bearer',
      'application/x-www-form-urlencoded',
      200,
      'answered with application/x-www-form-urlencoded instead of JSON',
    ],
    [{}, 'application/json', 200, 'lacks "access_token" or has it as something else than text'],
    [{ ...whole, access_token: 1 }, '', 200, 'lacks "access_token" or has it as something else than text'],
    [{ ...whole, access_token: '' }, '', 200, 'lacks "access_token" or has it as something else than text'],
    [{ ...whole, access_token: 't\r\nx: y' }, '', 200, 'has an "access_token" that no header can hold'],
    [{ access_token: 't' }, '', 200, 'lacks "token_type" or has it as something else than text'],
    [
      { ...whole, expires_in: 'soon' },
      '',
      200,
      'has "expires_in" as something else than a number of seconds',
    ],
    [{ ...whole, expires_in: -1 }, '', 200, 'has "expires_in" as something else than a number of seconds'],
    [{ ...whole, refresh_token: 1 }, '', 200, 'has "refresh_token" as something else than text'],
    [{ ...whole, scope: ['a'] }, '', 200, 'has "scope" as something else than text'],
    [{ message: 'no' }, '', 400, 'refused without saying why'],
    [{ error: '' }, '', 400, 'refused without saying why'],
    [{ error: { code: 1 } }, '', 400, 'refused without saying why'],
    [whole, '', 201, 'refused without saying why'],
  ]
  test.each(malformed)('%j as %j with %d is malformed', async (body, type, status, what) => {
    const error = await authFailure(() => processed(answer(body, { status, type })))
    expect(error).toMatchObject({ code: 'answer_malformed', stage: 'token', status })
    expect(error.message).toBe(
      `the token endpoint https://as.example/token ${what} (status ${status}); check that this is the address of a token endpoint, and have whoever runs it follow RFC 6749 section 5`,
    )
  })

  test.each([429, 500, 503])('with status %d can be tried again', async (status) => {
    const error = await authFailure(() =>
      processed(answer({ error: 'invalid_grant' }, { status }), { request: refresh }),
    )
    expect(error).toMatchObject({ code: 'server_error', stage: 'refresh', status })
  })
})

describe('an assertion of an identity provider', async () => {
  const request = await identityAssertionRequest(target, {
    subjectToken: 'id',
    subjectTokenType: 'id_token',
    audience: 'https://as.example',
  })
  const body = {
    issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
    access_token: 'a.b.c',
    token_type: 'N_A',
    expires_in: 300,
    scope: 'a',
  }
  const process = (changed: object): unknown =>
    processIdentityAssertion(answer({ ...body, ...changed }), { request, nowMs: NOW_MS })

  test('is read', () => {
    expect(process({})).toEqual({ assertion: 'a.b.c', scope: 'a', expiresAtMs: NOW_MS + 300_000 })
  })

  test('is nothing else', async () => {
    expect(await authFailure(() => process({ issued_token_type: 'urn:x' }))).toMatchObject({
      code: 'answer_malformed',
      stage: 'token',
    })
    expect(await authFailure(() => process({ error: 'invalid_grant' }))).toMatchObject({
      code: 'invalid_grant',
    })
  })
})

describe('a revocation', async () => {
  const request = await revocationRequest(
    { revocationEndpoint: 'https://as.example/revoke', authentication: none },
    { token: 'r1', hint: 'refresh_token' },
  )
  const process = (response: AuthResponse): void => processRevocation(response, { request })

  test('names the token and what it is', () => {
    expect(request).toMatchObject({ url: 'https://as.example/revoke', stage: 'revocation' })
    expect(formOf(request)).toEqual({ token: 'r1', token_type_hint: 'refresh_token', client_id: 'c1' })
  })

  test('is done whenever the answer is 200', () => {
    expect(() => process(answer('', { type: '' }))).not.toThrow()
    expect(() => process(answer('<p>ok', { type: 'text/html' }))).not.toThrow()
  })

  test.each([
    [400, { error: 'unsupported_token_type' }, 'token_refused', ': unsupported_token_type'],
    [401, { error: 'invalid_client' }, 'invalid_client', ': invalid_client'],
    [404, '', 'token_refused', ''],
  ])('that is answered with %d and %j did not happen', async (status, body, code, said) => {
    const error = await authFailure(() => process(answer(body, { status })))
    expect(error).toMatchObject({ code, stage: 'revocation', status })
    expect(error.message).toBe(
      `the revocation endpoint https://as.example/revoke did not revoke the token${said} (status ${status}); revoke it in the account settings of the authorization server; it stays valid until it expires`,
    )
  })

  test('can be tried again when the server fails', async () => {
    expect(await authFailure(() => process(answer('', { status: 503 })))).toMatchObject({
      code: 'server_error',
    })
  })
})
