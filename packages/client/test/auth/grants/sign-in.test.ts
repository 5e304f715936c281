import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { authorizationUrl } from '../../../src/auth/grants/authorization-url.ts'
import {
  callbackParameters,
  type ExpectedCallback,
  processCallback,
} from '../../../src/auth/grants/callback.ts'
import {
  codeChallenge,
  createPkce,
  createState,
  equalsInConstantTime,
} from '../../../src/auth/crypto/pkce.ts'
import { allTextOf, authFailure } from '../fixtures/requests.ts'
import { GENERATED_TIMEOUT_MS, inputs } from '../../support/generated.ts'

test('the challenge of a verifier is that of RFC 7636 appendix B [S4-102]', async () => {
  expect(await codeChallenge('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  )
})

test('verifiers and states are fresh, long and fit into a URL', async () => {
  const { verifier, challenge } = await createPkce()
  expect(verifier).toMatch(/^[\w-]{43}$/)
  expect(challenge).toBe(await codeChallenge(verifier))
  const made = new Set(Array.from({ length: 100 }, () => createState()))
  expect(made.size).toBe(100)
})

test('a page that was not loaded over https is told so, since it has no WebCrypto', async () => {
  const whole = Object.getOwnPropertyDescriptor(globalThis, 'crypto') ?? {}
  Object.defineProperty(globalThis, 'crypto', { value: {}, configurable: true })
  try {
    const error = await authFailure(() => codeChallenge('verifier'))
    expect(error).toMatchObject({ code: 'algorithm_unsupported', stage: 'authorization' })
    expect(error.message).toMatch(/load the page over https or from localhost$/)
  } finally {
    Object.defineProperty(globalThis, 'crypto', whole)
  }
})

test(
  'a comparison in constant time agrees with the usual one [S4-103]',
  () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        expect(equalsInConstantTime(one, other)).toBe(one === other)
        expect(equalsInConstantTime(one, one)).toBe(true)
        expect(equalsInConstantTime(one, `${one}x`)).toBe(false)
        expect(equalsInConstantTime('', `${one}x`)).toBe(false)
      }),
      inputs(200),
    )
  },
  GENERATED_TIMEOUT_MS,
)

const server = {
  issuer: 'https://as.example',
  authorization_endpoint: 'https://as.example/authorize?keep=1&scope=other',
  token_endpoint: 'https://as.example/token',
}
const request = {
  clientId: 'c 1',
  redirectUri: 'http://127.0.0.1:4711/callback',
  codeChallenge: 'challenge',
  state: 'state',
  resource: 'https://h.example',
  scope: 'a b',
}

describe('a person is sent', () => {
  test('with everything that the specification asks for, and what the endpoint already had', () => {
    const url = authorizationUrl(server, request)
    expect(`${url.origin}${url.pathname}`).toBe('https://as.example/authorize')
    expect([...url.searchParams]).toEqual([
      ['keep', '1'],
      ['scope', 'a b'],
      ['response_type', 'code'],
      ['client_id', 'c 1'],
      ['redirect_uri', 'http://127.0.0.1:4711/callback'],
      ['code_challenge', 'challenge'],
      ['code_challenge_method', 'S256'],
      ['state', 'state'],
      ['resource', 'https://h.example'],
    ])
  })

  test('without what is not known', () => {
    const { resource: _resource, scope: _scope, ...rest } = request
    const { searchParams } = authorizationUrl(
      { ...server, authorization_endpoint: 'https://as.example/a' },
      rest,
    )
    expect([searchParams.has('resource'), searchParams.has('scope'), searchParams.has('prompt')]).toEqual([
      false,
      false,
      false,
    ])
  })

  test('to consent when a refresh token is asked for, and with the thumbprint of a key', () => {
    const { searchParams } = authorizationUrl(server, {
      ...request,
      scope: 'a offline_access',
      dpopKeyThumbprint: 'print',
    })
    expect(searchParams.get('prompt')).toBe('consent')
    expect(searchParams.get('dpop_jkt')).toBe('print')
  })

  test.each([
    'javascript:alert(1)//https:',
    'http://as.example/authorize',
    'intent://x',
    'https://a:b@as.example/',
  ])('never to %s', async (endpoint) => {
    const error = await authFailure(() =>
      authorizationUrl({ ...server, authorization_endpoint: endpoint }, request),
    )
    expect(error).toMatchObject({ code: 'endpoint_unsafe', stage: 'authorization' })
  })

  test('only where there is a page for people and a safe way back', async () => {
    const { authorization_endpoint: _endpoint, ...machine } = server
    expect(await authFailure(() => authorizationUrl(machine, request))).toMatchObject({
      code: 'metadata_malformed',
      stage: 'authorization',
    })
    expect(
      await authFailure(() => authorizationUrl(server, { ...request, redirectUri: 'http://app.example/c' })),
    ).toMatchObject({ code: 'redirect_uri_invalid', stage: 'authorization' })
  })
})

const STATE = 'the-state-of-this-login'
const ISSUER = 'https://as.example/t1'

function processed(query: string, expected: Partial<ExpectedCallback> = {}): { readonly code: string } {
  return processCallback(callbackParameters(query), {
    state: STATE,
    issuer: ISSUER,
    issuerIsPromised: false,
    ...expected,
  })
}

describe('a callback', () => {
  test('of this login gives its code, from an address or its query alone', () => {
    expect(processed(`code=c%2B1&state=${STATE}`)).toEqual({ code: 'c+1' })
    expect(processed(`?code=c1&state=${STATE}`)).toEqual({ code: 'c1' })
    expect(processed(`http://127.0.0.1:1/callback?code=c1&state=${STATE}#x`)).toEqual({ code: 'c1' })
    expect(processed(` 127.0.0.1:1/callback?code=c?1&state=${STATE}\n`)).toEqual({ code: 'c?1' })
    expect(processed(`localhost:1/callback?code=c1&state=${STATE}`)).toEqual({ code: 'c1' })
    expect(processed(`code=c?1&state=${STATE}`)).toEqual({ code: 'c?1' })
  })

  test.each(['', 'code=c1', `code=c1&state=`, `code=c1&state=${STATE}x`, `code=c1&state=${STATE.slice(1)}`])(
    'with %j belongs to no login of ours [S4-103]',
    async (query) => {
      const error = await authFailure(() => processed(query))
      expect(error).toMatchObject({ code: 'state_mismatch', stage: 'callback' })
      expect(error.message).toMatch(/start the sign-in again/)
    },
  )

  test('is refused when no state was kept, even if it has none either [S4-138]', async () => {
    expect((await authFailure(() => processed('code=c1&state=', { state: '' }))).code).toBe('state_mismatch')
  })

  const table: readonly (readonly [promised: boolean, issuer: string | undefined, accepted: boolean])[] = [
    [true, ISSUER, true],
    [true, undefined, false],
    [true, 'https://evil.example', false],
    [false, ISSUER, true],
    [false, undefined, true],
    [false, 'https://evil.example', false],
    [false, `${ISSUER}/`, false],
    [false, 'https://AS.example/t1', false],
    [false, 'https://as.example:443/t1', false],
    [false, 'https://as.example/%741', false],
    [false, '', false],
  ]
  const outcomes = [
    'code=c1',
    'error=access_denied&error_description=text-of-the-error&error_uri=https://evil',
  ]

  describe.each(outcomes)('with %s', (outcome) => {
    test.each(table)(
      'where iss was promised: %s, and is %j, passes: %s',
      async (promised, issuer, accepted) => {
        const query = new URLSearchParams({ state: STATE, ...(issuer !== undefined && { iss: issuer }) })
        const run = (): unknown => processed(`${outcome}&${query}`, { issuerIsPromised: promised })
        if (accepted && outcome === 'code=c1') return expect(run()).toEqual({ code: 'c1' })
        const error = await authFailure(run)
        expect(error).toMatchObject({
          code: accepted ? 'authorization_refused' : 'issuer_mismatch',
          stage: 'callback',
        })
        expect(allTextOf(error).includes('text-of-the-error')).toBe(accepted)
        expect(allTextOf(error)).not.toContain('evil')
      },
    )
  })

  test.each([
    ['access_denied', 'sign in again and agree, or ask a person who may agree'],
    ['invalid_scope', 'request fewer scopes, or have them allowed for this client'],
    ['server_error', 'sign in again later'],
    [
      'unauthorized_client',
      'check the client id and the redirect URI that are registered there, then sign in again',
    ],
  ])('with the error %s says what to do', async (code, fix) => {
    const error = await authFailure(() => processed(`error=${code}&state=${STATE}`))
    expect(error).toMatchObject({ code: 'authorization_refused', oauthError: code, fix })
    expect(error.message).toBe(`the authorization server refused the sign-in: ${code}; ${fix}`)
  })

  test('shows the words of a server as one short printable line', async () => {
    const description = `\u001b[31mred\r\nline\u202e\u2066 ü ${'x'.repeat(500)}`
    const query = new URLSearchParams({ state: STATE, error: 'bad code\n', error_description: description })
    const error = await authFailure(() => processed(query.toString()))
    expect(error.oauthError).toBe('an invalid error code')
    expect(error.message).toMatch(/\("\[31mred line {1,2}ü x+…"\);/)
    expect(error.message.length).toBeLessThan(450)
  })

  test('never cuts a character of the server in half', async () => {
    const query = new URLSearchParams({ state: STATE, error: 'e', error_description: `x${'😀'.repeat(150)}` })
    const error = await authFailure(() => processed(query.toString()))
    expect(error.message).not.toMatch(/\p{Cs}/u)
  })

  test.each([
    `state=${STATE}`,
    `code=&state=${STATE}`,
    `code=a&code=b&state=${STATE}`,
    `code=a&state=${STATE}&state=${STATE}`,
    `code=a&state=${STATE}&iss=${ISSUER}&iss=${ISSUER}`,
  ])('with %s is malformed', async (query) => {
    expect(await authFailure(() => processed(query))).toMatchObject({
      code: 'callback_malformed',
      stage: 'callback',
    })
  })
})
