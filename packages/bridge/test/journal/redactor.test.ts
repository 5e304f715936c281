import { type McpAuthorization, McpError, McpUnauthorizedError } from '@toolbridge/client'
import { describe, expect, test } from 'vitest'
import type { ResolvedSpec } from '../../src/config/spec/server-spec.ts'
import { Redaction } from '../../src/journal/redaction/redaction.ts'
import { createRedactor } from '../../src/journal/redaction/redactor.ts'
import { headerSecrets, specSecrets } from '../../src/journal/redaction/spec-secrets.ts'

const commons = { name: 'a', enabled: true, required: false, source: { file: 'test', pointer: '' } }

function stdio(env: Readonly<Record<string, string>>, args: readonly string[] = []): ResolvedSpec {
  return { ...commons, transport: 'stdio', command: 'a', args: [...args], env } as unknown as ResolvedSpec
}

function http(url: string, more: object = {}): ResolvedSpec {
  return { ...commons, transport: 'http', url, headers: {}, ...more } as unknown as ResolvedSpec
}

const secret = 'hunter2-of-ada'

describe('the secrets of a definition', () => {
  test.each<[string, ResolvedSpec, readonly string[]]>([
    ['variables', stdio({ TOKEN: 'abc def' }), ['abc def', 'abc def']],
    ['lines of variables', stdio({ KEY: 'one\r\ntwo' }), ['one\r\ntwo', 'one', 'two']],
    ['no variables that every program gets', stdio({ PATH: '/bin', HOME: '/root', X: 'y' }), ['y', 'y']],
    ['arguments after a telling flag', stdio({}, ['--api-key', 'v', '-token', 'w', 'x']), ['v', 'w']],
    ['arguments behind =', stdio({}, ['--password=a=b', '--MY_SECRET=c', '--authFile=d']), ['a=b', 'c', 'd']],
    [
      'no other arguments',
      stdio({}, ['--verbose', 'a', 'token', 'b', '--key', '--c', '--key: d', 'e', 'x--key', 'f']),
      [],
    ],
    ['nothing behind the last flag', stdio({}, ['--token']), ['']],
    ['credentials of the URL', http('https://us%20er:pa%ZZ@a.test/'), ['', 'us er', 'pa%ZZ']],
    ['queries', http('https://a.test/?a=b&c=d%20e'), ['', '', '', 'b', 'd e']],
    [
      'long segments with letters and digits',
      http(`https://a.test/v1/${'a1'.repeat(10)}/${'a'.repeat(20)}/${'1'.repeat(20)}/${'a1'.repeat(9)}b`),
      ['', '', '', 'a1'.repeat(10)],
    ],
    ['the client secret', http('https://a.test/', { auth: { clientSecret: 's' } }), ['s', '', '']],
    ['values of variables', { ...http('https://a.test/'), sensitiveValues: ['v'] }, ['', '', '', 'v']],
    ['headers', http('https://a.test/', { headers: { A: 'b' } }), ['b', 'b', 'b', '', '', '']],
  ])('are %s', (_what, spec, expected) => {
    expect(specSecrets(spec)).toEqual(expected)
  })

  test.each([
    ['the URL of a database', ['postgresql://ada:s3cr%65t-1@db.example/main'], {}],
    ['a flag with such a URL', ['--dsn=mysql://ada:s3cret-1@db/main'], {}],
    ['a URL with a token as its user', ['https://s3cret-1@git.example/x.git'], {}],
    ['a query', ['https://a.example/?api_key=s3cret-1&b=c'], {}],
    ['a variable for Docker', ['run', '-e', 'GITHUB_TOKEN=s3cret-1', 'image'], {}],
    ['a header', ['mcp-remote', 'https://a.example', '--header', 'Authorization: Bearer s3cret-1'], {}],
    ['a header behind =', ['--header=X-Api-Key:s3cret-1'], {}],
    ['JSON', ['--config', '{"server":{"apiKey":"s3cret-1"}}'], {}],
    ['a connection string', [], { DB: 'Server=db;User Id=ada;Password=s3cret-1;' }],
    ['the URL of a database as a variable', [], { DB: 'redis://:s3cret-1@db/0' }],
    ['an account in JSON as a variable', [], { GOOGLE: '{"private_key":"BEGIN\\ns3cret-1\\nEND"}' }],
  ])('are in %s', (_what, args, env: Readonly<Record<string, string>>) => {
    const { redactLine } = createRedactor(stdio(env, args))
    expect(redactLine('refused: s3cret-1')).toBe('refused: [redacted]')
  })

  test('are no other parts of arguments', () => {
    const args = [
      'https://a.example/ada@home',
      'postgres://localhost/main',
      'C:\\keys',
      'a=banana',
      '{"a":"b"}',
      '{',
    ]
    expect(specSecrets(stdio({}, args))).toEqual([])
  })

  test('are headers and their parts, with and without a scheme or a name', () => {
    expect(headerSecrets({ Authorization: 'Bearer abc', Cookie: 'sid=x; b=y,z' })).toEqual([
      'Bearer abc',
      'Bearer',
      'Bearer',
      'abc',
      'abc',
      'sid=x; b=y,z',
      'sid=x',
      'x',
      'b=y',
      'y',
      'z',
      'z',
    ])
    const basic = Buffer.from('ada:pass:word').toString('base64')
    expect(headerSecrets({ Authorization: `BASIC ${basic}` }).slice(-2)).toEqual([
      'ada:pass:word',
      'pass:word',
    ])
    expect(headerSecrets({ Authorization: `xBasic ${basic}` })).not.toContain('pass:word')
    expect(headerSecrets({ Authorization: `Basics ${basic}` })).not.toContain('pass:word')
  })
})

describe('an error', () => {
  const { redact } = createRedactor(stdio({ TOKEN: secret }))

  test('without a secret is the same', () => {
    const same = new McpError('no', { kind: 'peer', code: 1, data: { a: [1, 'b', null, { c: true }] } })
    expect(redact(same)).toBe(same)
    expect(redact('no error')).toBe('no error')
    expect(redact(secret)).toBe(secret)
    const cause = new Error('outer', { cause: new Error('inner') })
    expect(redact(cause)).toBe(cause)
  })

  test('keeps its kind and code, with its message and data redacted', () => {
    const data = { [secret]: 1, list: ['a', secret], deep: { er: `x ${secret}` }, plain: { b: [2] } }
    const told = redact(new McpError(`no ${secret}`, { kind: 'timeout', code: 7, data }))
    expect(told).toBeInstanceOf(McpError)
    expect(told).toMatchObject({ message: 'no [redacted]', kind: 'timeout', code: 7 })
    expect(told instanceof McpError && told.data).toEqual({
      '[redacted]': 1,
      list: ['a', '[redacted]'],
      deep: { er: 'x [redacted]' },
      plain: { b: [2] },
    })
  })

  test.each<[string, Error]>([
    ['its cause', new Error('no', { cause: new Error(secret) })],
    ['the cause of its cause', new Error('no', { cause: new Error('x', { cause: secret }) })],
    ['a property', Object.assign(new Error('no'), { detail: { text: secret } })],
    ['a name of a property', Object.assign(new Error('no'), { detail: { [secret]: 1 } })],
    ['one of its errors', new AggregateError([new Error('x'), new Error(secret)], 'no')],
  ])('with a secret in %s is one without it', (_where, error) => {
    const told = redact(error)
    expect(told).not.toBe(error)
    expect(told).toMatchObject({ message: 'no' })
    expect(Object.getOwnPropertyNames(told)).toEqual(['stack', 'message'])
  })

  test('of a sign-in stays one, with its address', () => {
    const error = new McpUnauthorizedError(`no ${secret}`, { authorizationUrl: 'https://login.test/' })
    const told = redact(error)
    expect(told).toBeInstanceOf(McpUnauthorizedError)
    expect(told).toMatchObject({ message: 'no [redacted]', authorizationUrl: 'https://login.test/' })
    const ofAuth = Object.assign(new Error(`no ${secret}`), { name: 'McpAuthError' })
    expect(redact(ofAuth)).toBeInstanceOf(McpUnauthorizedError)
    expect(redact(ofAuth)).toMatchObject({ message: 'no [redacted]' })
  })

  test('with data that is too deep to be searched has it replaced', () => {
    const nested = (depth: number): object => (depth === 0 ? {} : { a: nested(depth - 1) })
    const deep = new McpError('no', { kind: 'peer', code: 1, data: nested(30) })
    expect(redact(deep)).toBe(deep)
    const deeper = redact(new McpError('no', { kind: 'peer', code: 1, data: nested(40) }))
    expect(JSON.stringify(deeper instanceof McpError && deeper.data)).toMatch(
      /^(\{"a":){32}"\[redacted\]"\}{32}$/,
    )
  })

  test('is free of what people answered, too', () => {
    const bridge = new Redaction()
    bridge.answered({ code: 'answer-of-bob' })
    const both = createRedactor(stdio({ TOKEN: secret }), bridge)
    expect(both.redact(new Error(`${secret} answer-of-bob`))).toMatchObject({
      message: '[redacted] [redacted]',
    })
    expect(bridge.definitions.mask(secret)).toBe('[redacted]')
  })
})

test('the texts of what a server lists are free of the secrets of its definition', () => {
  const bridge = new Redaction()
  bridge.definitions.keep(['of-another-definition'])
  const { redactListed } = createRedactor(stdio({ TOKEN: secret }), bridge)
  expect(redactListed({ name: secret, description: `${secret} of-another-definition` })).toEqual({
    name: secret,
    description: '[redacted] of-another-definition',
  })
})

describe('a watched authorization', () => {
  function open(headers: () => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>) {
    const seen: unknown[] = []
    const authorization: McpAuthorization = {
      authorize: async (options) => {
        seen.push(['authorize', options])
        return 'ready' as never
      },
      headersFor: (request) => {
        seen.push(['headersFor', request])
        return headers()
      },
      onRefused: async (...given) => {
        seen.push(['onRefused', ...given])
        return true
      },
      onResponse: (response) => void seen.push(['onResponse', response]),
      authorizationUrl: 'https://login.test/',
    }
    const redactor = createRedactor(stdio({}))
    const told = (text: string): unknown => redactor.redact(new Error(text))
    return { watched: redactor.watched(authorization), told, seen }
  }

  test('adds the tokens of headers to the secrets, whether they come at once or later', async () => {
    const request = { method: 'POST' } as never
    const atOnce = open(() => ({ authorization: `Bearer ${secret}` }))
    expect(atOnce.watched.headersFor(request)).toEqual({ authorization: `Bearer ${secret}` })
    expect(atOnce.told(secret)).toMatchObject({ message: '[redacted]' })
    const later = open(async () => ({ authorization: `Bearer ${secret}` }))
    expect(await later.watched.headersFor(request)).toEqual({ authorization: `Bearer ${secret}` })
    expect(later.told(secret)).toMatchObject({ message: '[redacted]' })
    expect(atOnce.seen).toEqual([['headersFor', request]])
  })

  test('notices new headers, and does not look at the same ones again', () => {
    let reads = 0
    const counted = (value: string): Readonly<Record<string, string>> => ({
      get authorization() {
        reads += 1
        return value
      },
    })
    const [first, second] = [counted('first-token'), counted('second-token')]
    let current = first
    const { watched, told } = open(() => current)
    void watched.headersFor({} as never)
    void watched.headersFor({} as never)
    expect(reads).toBe(1)
    current = second
    void watched.headersFor({} as never)
    expect(reads).toBe(2)
    expect(told('first-token second-token')).toMatchObject({ message: '[redacted] [redacted]' })
  })

  test('passes everything else on', async () => {
    const { watched, seen } = open(() => ({}))
    const [options, refusal, response] = [{}, {}, {}] as never[]
    expect(await watched.authorize(options)).toBe('ready')
    expect(await watched.onRefused(refusal as never, options)).toBe(true)
    watched.onResponse?.(response as never)
    expect(watched.authorizationUrl).toBe('https://login.test/')
    expect(seen).toEqual([
      ['authorize', options],
      ['onRefused', refusal, options],
      ['onResponse', response],
    ])
    const { onResponse: _none, ...without } = { ...watched, onResponse: undefined }
    expect(() =>
      createRedactor(stdio({}))
        .watched(without as McpAuthorization)
        .onResponse?.({} as never),
    ).not.toThrow()
  })
})
