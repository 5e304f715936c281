import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readChallenge } from '../../../src/auth/discovery/challenge.ts'
import { type AuthChallenge, parseChallenges } from '../../../src/auth/discovery/challenge-grammar.ts'
import { McpAuthError } from '../../../src/auth/messages/mcp-auth-error.ts'
import { authFailure } from '../fixtures/requests.ts'
import { GENERATED_TIMEOUT_MS, inputs } from '../../support/generated.ts'

type Shown = readonly [scheme: string, rest: string | Record<string, string>]

const readable: readonly (readonly [field: string, challenges: readonly Shown[]])[] = [
  ['', []],
  [' , ,', []],
  ['Bearer', [['bearer', {}]]],
  ['BEARER', [['bearer', {}]]],
  ['Bearer ,', [['bearer', {}]]],
  ['Bearer realm="x"', [['bearer', { realm: 'x' }]]],
  ['Bearer   realm = "x" ,\tscope\t=\tread', [['bearer', { realm: 'x', scope: 'read' }]]],
  ['Bearer Realm="x",,SCOPE="a b"', [['bearer', { realm: 'x', scope: 'a b' }]]],
  ['Bearer realm="a, b=\\"c\\", Basic d"', [['bearer', { realm: 'a, b="c", Basic d' }]]],
  ['Bearer realm="back\\\\slash \\q"', [['bearer', { realm: 'back\\slash q' }]]],
  ['Bearer realm=""', [['bearer', { realm: '' }]]],
  ['Negotiate', [['negotiate', {}]]],
  ['Negotiate YWJj=', [['negotiate', 'YWJj=']]],
  ['Negotiate a', [['negotiate', 'a']]],
  [
    'Negotiate YWJj==, Bearer scope=a',
    [
      ['negotiate', 'YWJj=='],
      ['bearer', { scope: 'a' }],
    ],
  ],
  [
    'Basic realm="x", Bearer, DPoP algs="ES256 PS256", error="use_dpop_nonce"',
    [
      ['basic', { realm: 'x' }],
      ['bearer', {}],
      ['dpop', { algs: 'ES256 PS256', error: 'use_dpop_nonce' }],
    ],
  ],
  [
    // The example of RFC 9110 section 11.6.1.
    'Basic realm="simple", Newauth realm="apps", type=1, title="Login to \\"apps\\""',
    [
      ['basic', { realm: 'simple' }],
      ['newauth', { realm: 'apps', type: '1', title: 'Login to "apps"' }],
    ],
  ],
  [
    // The example of RFC 9728 section 5.1.
    'Bearer resource_metadata="https://resource.example.com/.well-known/oauth-protected-resource"',
    [['bearer', { resource_metadata: 'https://resource.example.com/.well-known/oauth-protected-resource' }]],
  ],
]

describe('challenges are read as RFC 9110 lays down', () => {
  test.each(readable)('%j', (field, expected) => {
    expect(parseChallenges(field).map((challenge) => shown(challenge))).toEqual(expected)
  })
})

const unreadable: readonly (readonly [field: string, place: number, expected: string])[] = [
  ['"Bearer"', 1, 'a scheme name'],
  ['=', 1, 'a scheme name'],
  ['Bearer=x', 7, 'a space after the scheme'],
  ['Bearer realm="x', 14, 'a token or a quoted string'],
  ['Bearer realm="x\\"', 14, 'a token or a quoted string'],
  ['Bearer scope=a b', 15, 'a comma'],
  ['Bearer error=invalid_token, error_description=The token expired', 50, 'a comma'],
  ['Bearer realm="x" scope="a"', 17, 'a comma'],
  ['Bearer scope=a, scope=b', 23, 'no duplicate parameter'],
  ['Bearer scope=a, Scope=b', 23, 'no duplicate parameter'],
  ['Bearer scope=a, realm=', 23, 'a token or a quoted string'],
  ['Bearer realm="x", {}', 19, 'a scheme name'],
]

describe('a header that breaks the grammar says where, and never what', () => {
  test.each(unreadable)('%j', async (field, place, expected) => {
    const error = await authFailure(() => parseChallenges(field))
    expect(error).toMatchObject({ code: 'challenge_malformed', stage: 'challenge' })
    expect(error.message).toBe(
      `malformed WWW-Authenticate header: expected ${expected} at character ${place}; ask the operator of the server to follow RFC 9110 section 11.6.1, for example: Bearer resource_metadata="https://…"`,
    )
  })

  test('what looks like a token68 is one', () => {
    expect(parseChallenges('Bearer realm, Bearer realm=').map((challenge) => shown(challenge))).toEqual([
      ['bearer', 'realm'],
      ['bearer', 'realm='],
    ])
  })
})

describe('an MCP client takes from all Bearer and DPoP challenges', () => {
  const read = (field: string): ReturnType<typeof readChallenge> =>
    readChallenge({ 'www-authenticate': field })

  test('what they say, wherever it stands', () => {
    const field =
      'Basic realm="x", scope="not this", DPoP algs="ES256", bearer scope="a b", error="insufficient_scope", resource_metadata="https://h/m", error_description="more"'
    expect(read(field)).toEqual({
      resourceMetadataUrl: 'https://h/m',
      scope: 'a b',
      error: 'insufficient_scope',
      errorDescription: 'more',
      offersDpop: true,
      wantsDpopNonce: false,
    })
  })

  test('nothing where there is none', () => {
    expect(readChallenge({})).toBeUndefined()
    expect(read('Basic realm="x"')).toBeUndefined()
    expect(read('Bearer')).toEqual({
      resourceMetadataUrl: undefined,
      scope: undefined,
      error: undefined,
      errorDescription: undefined,
      offersDpop: false,
      wantsDpopNonce: false,
    })
  })

  test('a wish for a nonce beside another error', () => {
    expect(read('Bearer error="invalid_token", DPoP error="use_dpop_nonce"')).toMatchObject({
      error: 'invalid_token',
      wantsDpopNonce: true,
    })
  })
})

const tokenText = fc.string({
  unit: fc.constantFrom(..."abzABZ059!#$%&'*+-.^_`|~".split('')),
  minLength: 1,
  maxLength: 8,
})
const headerText = fc.string({ unit: fc.constantFrom(...'ab ,="\\\t/é~'.split('')), maxLength: 12 })
const parameters = fc.dictionary(
  tokenText.map((name) => name.toLowerCase()),
  headerText,
  { minKeys: 1, maxKeys: 4, noNullPrototype: true },
)
const token68 = fc
  .tuple(fc.string({ unit: fc.constantFrom(...'abAB09-._~+/'.split('')), minLength: 1 }), fc.nat({ max: 2 }))
  .map(([text, padding]) => text + '='.repeat(padding))
const challenge = fc.tuple(
  tokenText.map((scheme) => scheme.toLowerCase()),
  fc.oneof(parameters, token68, fc.constant({})),
)

test(
  'challenges come back from their header, however it is spaced',
  () =>
    fc.assert(
      fc.property(
        fc.array(challenge, { maxLength: 4 }),
        fc.infiniteStream(fc.constantFrom('', ' ', '\t', '  ')),
        (challenges, spaces) => {
          const space = (): string => spaces.next().value ?? ''
          const field = challenges.map((one) => serialised(one, space)).join(`${space()},${space()}`)
          expect(parseChallenges(field).map((one) => shown(one))).toEqual(challenges)
        },
      ),
      inputs(300),
    ),
  GENERATED_TIMEOUT_MS,
)

test(
  'whatever a header holds, it is read or refused as malformed',
  () =>
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: fc.nat({ max: 0xff_ff }).map((code) => String.fromCharCode(code)) }),
          fc.string({ unit: fc.constantFrom(...'Bearer DPoP ="\\,\t=a'.split('')) }),
        ),
        (field) => {
          try {
            for (const { scheme } of parseChallenges(field)) expect(scheme).toMatch(/^[^\s,="]+$/)
          } catch (error) {
            expect(error).toBeInstanceOf(McpAuthError)
            expect(error).toMatchObject({ code: 'challenge_malformed' })
          }
        },
      ),
      inputs(300),
    ),
  GENERATED_TIMEOUT_MS,
)

test('a header of a million quotes is refused quickly', async () => {
  const error = await authFailure(() => parseChallenges(`Bearer a="${'\\"'.repeat(500_000)}`))
  expect(error.code).toBe('challenge_malformed')
})

function shown({ scheme, token68: credentials, parameters: values }: AuthChallenge): Shown {
  return [scheme, credentials ?? Object.fromEntries(values)]
}

function serialised([scheme, rest]: Shown, space: () => string): string {
  if (typeof rest === 'string') return `${scheme} ${space()}${rest}`
  const pairs = Object.entries(rest).map(([name, value]) => `${name}${space()}=${space()}${quoted(value)}`)
  return pairs.length === 0 ? scheme : `${scheme} ${space()}${pairs.join(`${space()},${space()}`)}`
}

function quoted(value: string): string {
  return `"${value.replaceAll(/["\\]/g, '\\$&')}"`
}
