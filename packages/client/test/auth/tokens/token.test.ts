import { canary } from '@toolbridge/testkit/secrets'
import { describe, expect, test } from 'vitest'
import type { ClientAuthentication } from '../../../src/auth/registration/client-authentication.ts'
import type { AuthResponse } from '../../../src/auth/messages/auth-request.ts'
import {
  identityAssertionRequest,
  processIdentityAssertion,
} from '../../../src/auth/grants/machine-token-requests.ts'
import { processRevocation, revocationRequest } from '../../../src/auth/tokens/revocation.ts'
import {
  authorizationCodeRequest,
  processTokens,
  refreshRequest,
  type TokenResponseRules,
} from '../../../src/auth/tokens/token-endpoint.ts'
import { answer, authFailure, formOf } from '../fixtures/requests.ts'

const ENDPOINT = 'https://as.example/token'
const RESOURCE = 'https://h.example'
const none: ClientAuthentication = { method: 'none', clientId: 'c1' }
const target = { tokenEndpoint: ENDPOINT, authentication: none, resource: RESOURCE }

const NOW_MS = 1_800_000_000_000
const refresh = await refreshRequest(target, { refreshToken: 'r1' })
const exchange = await authorizationCodeRequest(target, {
  code: 'c',
  codeVerifier: 'v',
  redirectUri: 'https://a/c',
})

function processed(response: AuthResponse, expected: Partial<TokenResponseRules> = {}): unknown {
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

  test('that are to live longer than any clock counts can be kept all the same', () => {
    const tokens = processed(answer('{"access_token":"t","token_type":"bearer","expires_in":1e308}'))
    expect(JSON.parse(JSON.stringify(tokens))).toMatchObject({ expiresAtMs: Number.MAX_SAFE_INTEGER })
  })

  test.each(['Bearer', 'bearer', 'BEARER'])('may be of the type %s', (token_type) => {
    expect(processed(answer({ access_token: canary('access'), token_type }))).toEqual({
      access_token: canary('access'),
      token_type: 'Bearer',
    })
  })

  test('have the scope that was asked for unless the answer says otherwise', () => {
    const body = { access_token: canary('access'), token_type: 'bearer' }
    expect(processed(answer(body), { requestedScope: 'a b' })).toMatchObject({ scope: 'a b' })
    expect(processed(answer({ ...body, scope: 'a' }), { requestedScope: 'a b' })).toMatchObject({
      scope: 'a',
    })
    expect(processed(answer({ ...body, scope: '' }), { requestedScope: 'a b' })).toMatchObject({
      scope: 'a b',
    })
  })

  test('keep the refresh token and scope that they replace if the answer has none', () => {
    const previous = {
      access_token: 'old',
      token_type: 'Bearer',
      refresh_token: canary('refresh-1'),
      scope: 'a',
    } as const
    const body = { access_token: canary('access'), token_type: 'bearer', refresh_token: null }
    expect(processed(answer(body), { request: refresh, previous })).toEqual({
      access_token: canary('access'),
      token_type: 'Bearer',
      refresh_token: canary('refresh-1'),
      scope: 'a',
    })
    const rotated = { ...body, refresh_token: canary('refresh-2'), scope: 'b' }
    expect(processed(answer(rotated), { request: refresh, previous })).toMatchObject({
      refresh_token: canary('refresh-2'),
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
    const tokens = processed(answer({ access_token: canary('access'), token_type: 'bearer', expires_in }))
    expect(tokens).toEqual({
      access_token: canary('access'),
      token_type: 'Bearer',
      ...(expiresAtMs !== undefined && { expiresAtMs }),
    })
  })

  test('that are bound to a key need a proof, and a proof may be required', async () => {
    const proven = { ...exchange, headers: { ...exchange.headers, dpop: 'proof' } }
    const dpop = answer({ access_token: canary('access'), token_type: 'dpop' })
    const bearer = answer({ access_token: canary('access'), token_type: 'bearer' })
    expect(processed(dpop, { request: proven, requiresDpop: true })).toMatchObject({ token_type: 'DPoP' })
    expect(processed(bearer, { request: proven })).toMatchObject({ token_type: 'Bearer' })
    const failures = [
      await authFailure(() => processed(dpop)),
      await authFailure(() => processed(bearer, { request: proven, requiresDpop: true })),
      await authFailure(() => processed(answer({ access_token: canary('access'), token_type: 'mac' }))),
    ]
    expect(failures.map(({ code }) => code)).toEqual(Array(3).fill('token_type_unsupported'))
    expect(failures.map(({ message }) => message.split(';')[0])).toEqual([
      'the token endpoint https://as.example/token issued a DPoP-bound token, but no proof was sent',
      'the token endpoint https://as.example/token issued a token that is not bound to our key',
      'the token endpoint https://as.example/token issued a token of an unsupported type',
    ])
  })
})

describe('an answer without tokens', () => {
  const again = 'sign in again'
  const fewer = 'request fewer scopes, or have them allowed for this client'
  const client =
    'check the client id, its secret or key and its authentication method, or register the client again'
  const nonce = 'send the request again with the nonce of the DPoP-Nonce header'
  const other =
    'ask the operator of the authorization server whether this client may use this grant for this resource'
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
          `the token endpoint https://as.example/token issued no token: ${oauthError} ("words") (status ${status}); ${fix}`,
        )
      }
    },
  )

  const whole = { access_token: canary('access'), token_type: 'bearer' }
  const malformed: readonly (readonly [body: unknown, type: string, status: number, what: string])[] = [
    ['', 'application/json', 200, 'did not respond with a JSON object'],
    [`{"access_token":"${canary('access')}`, 'application/json', 200, 'did not respond with a JSON object'],
    [
      `[{"access_token":"${canary('access')}"}]`,
      'application/json',
      200,
      'did not respond with a JSON object',
    ],
    ['<!doctype html><p>', 'text/html', 200, 'responded with text/html instead of JSON'],
    ['<!doctype html><p>', 'text/html; charset=utf-8', 403, 'responded with text/html instead of JSON'],
    [whole, 'text/plain', 200, 'responded with text/plain instead of JSON'],
    [
      `access_token=${canary('access')}&token_type=bearer`,
      'application/x-www-form-urlencoded',
      200,
      'responded with application/x-www-form-urlencoded instead of JSON',
    ],
    [{}, 'application/json', 200, 'lacks the string "access_token"'],
    [{ ...whole, access_token: 1 }, '', 200, 'lacks the string "access_token"'],
    [{ ...whole, access_token: '' }, '', 200, 'lacks the string "access_token"'],
    [
      { ...whole, access_token: `${canary('access')}\r\nx: y` },
      '',
      200,
      'has an "access_token" that is not valid in a header',
    ],
    [{ access_token: canary('access') }, '', 200, 'lacks the string "token_type"'],
    [{ ...whole, expires_in: 'soon' }, '', 200, 'has a "expires_in" that is not a number of seconds'],
    [{ ...whole, expires_in: -1 }, '', 200, 'has a "expires_in" that is not a number of seconds'],
    [{ ...whole, refresh_token: 1 }, '', 200, 'has a "refresh_token" that is not a string'],
    [{ ...whole, scope: ['a'] }, '', 200, 'has a "scope" that is not a string'],
    [{ message: 'no' }, '', 400, 'refused the request without an error code'],
    [{ error: '' }, '', 400, 'refused the request without an error code'],
    [{ error: { code: 1 } }, '', 400, 'refused the request without an error code'],
    [whole, '', 201, 'refused the request without an error code'],
  ]
  test.each(malformed)('%j as %j with %d is malformed', async (body, type, status, what) => {
    const error = await authFailure(() => processed(answer(body, { status, type })))
    expect(error).toMatchObject({ code: 'answer_malformed', stage: 'token', status })
    expect(error.message).toBe(
      `the token endpoint https://as.example/token ${what} (status ${status}); check that this is the URL of a token endpoint, and ask its operator to follow RFC 6749 section 5`,
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
    access_token: canary('assertion'),
    token_type: 'N_A',
    expires_in: 300,
    scope: 'a',
  }
  const process = (changed: object): unknown =>
    processIdentityAssertion(answer({ ...body, ...changed }), { request, nowMs: NOW_MS })

  test('is read', () => {
    expect(process({})).toEqual({ assertion: canary('assertion'), scope: 'a', expiresAtMs: NOW_MS + 300_000 })
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
    { token: canary('refresh-1'), hint: 'refresh_token' },
  )
  const process = (response: AuthResponse): void => processRevocation(response, { request })

  test('names the token and what it is', () => {
    expect(request).toMatchObject({ url: 'https://as.example/revoke', stage: 'revocation' })
    expect(formOf(request)).toEqual({
      token: canary('refresh-1'),
      token_type_hint: 'refresh_token',
      client_id: 'c1',
    })
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
