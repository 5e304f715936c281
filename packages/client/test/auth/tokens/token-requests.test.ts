import { describe, expect, test } from 'vitest'
import {
  authenticatedForm,
  chooseClientAuthentication,
  type ClientAuthentication,
} from '../../../src/auth/registration/client-authentication.ts'
import {
  clientCredentialsRequest,
  identityAssertionRequest,
  jwtBearerRequest,
} from '../../../src/auth/grants/machine-token-requests.ts'
import { importSigningKey } from '../../../src/auth/crypto/signing-key.ts'
import { authorizationCodeRequest, refreshRequest } from '../../../src/auth/tokens/token-endpoint.ts'
import { authFailure, decodedJwt, formOf } from '../fixtures/requests.ts'
import { rfc8037Ed25519Key } from '../fixtures/rfc-keys.ts'

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

  test('for fresh tokens [S4-104]', async () => {
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

  test('has to sign with what the server can verify', async () => {
    const server = {
      issuer: 'https://as.example',
      token_endpoint_auth_signing_alg_values_supported: ['RS256', 'ES256'],
    }
    const error = await authFailure(() =>
      chooseClientAuthentication({ client: { client_id: 'c' }, server, key }),
    )
    expect(error.code).toBe('client_authentication_unsupported')
    expect(error.message).toContain('https://as.example cannot be used with a key for EdDSA')
  })

  test.each([
    ['client_secret_basic', 'requires client_secret_basic, but there is no client secret'],
    ['client_secret_post', 'requires client_secret_post, but there is no client secret'],
    ['private_key_jwt', 'requires private_key_jwt, but there is no key'],
    ['tls_client_auth', 'requires an unsupported authentication method'],
  ])('%s is refused where it cannot be done', async (method, what) => {
    const client = { client_id: 'c', token_endpoint_auth_method: method }
    const error = await authFailure(() =>
      chooseClientAuthentication({ client, server: { issuer: 'https://as.example' } }),
    )
    expect(error).toMatchObject({ code: 'client_authentication_unsupported', stage: 'token' })
    expect(error.message).toBe(
      `the registration at https://as.example ${what}; configure the missing credential, or register the client for none, client_secret_basic, client_secret_post or private_key_jwt`,
    )
  })
})
