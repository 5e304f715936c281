import { join } from 'node:path'
import { type Answerer, openBridge, type Question, readConfig } from '@toolbridge/bridge'
import {
  askConsent,
  functionAnswerer,
  inputAnswers,
  memoryCredentialStore,
} from '@toolbridge/bridge/questions'
import { canary } from '@toolbridge/testkit/secrets'
import { describe, expect, test } from 'vitest'
import { fakeTime } from '../servers/fake-time.ts'
import { permissive, plainServer } from '../servers/specs.ts'

const origin = { principal: 'alice', conversation: 'one' }
const never = new AbortController().signal
const token = {
  kind: 'input',
  server: 'github',
  id: 'token',
  isSecret: true,
  description: 'Your token',
  destination: { target: 'https://mcp.example:443', fields: ['/headers/authorization'] },
} as const
const { destination } = token

function personSaying(value: string): Answerer & { readonly asked: Question[] } {
  const asked: Question[] = []
  const answerer = functionAnswerer((question) => {
    asked.push(question)
    return { action: 'accept', content: { value } }
  })
  return { ...answerer, asked }
}

describe('what a definition asks for', () => {
  test('is asked once for each server, also of several that start at once, and kept', async () => {
    const answerer = personSaying(canary('input'))
    const store = memoryCredentialStore()
    const inputs = inputAnswers({ origin, answerer, store })
    const both = await Promise.all([inputs.answer(token, {}), inputs.answer(token, {})])
    expect(both).toEqual([canary('input'), canary('input')])
    expect(answerer.asked).toMatchObject([
      {
        kind: 'input',
        origin,
        server: 'github',
        message: 'Your token',
        input: { id: 'token', isSecret: true },
      },
    ])
    expect(await inputs.answer({ ...token, server: 'another' }, {})).toBe(canary('input'))
    expect(answerer.asked).toHaveLength(2)
    expect(await store.get({ principal: 'alice', server: 'github', id: 'token' }, destination)).toBe(
      canary('input'),
    )
    expect(await store.get({ principal: 'bob', server: 'github', id: 'token' }, destination)).toBe(undefined)
  })

  test('is asked again when it was forgotten', async () => {
    const answerer = personSaying(canary('input'))
    const store = memoryCredentialStore()
    const inputs = inputAnswers({ origin, answerer, store })
    await inputs.answer(token, {})
    await store.delete({ principal: 'alice', server: 'github', id: 'token' })
    await inputs.answer(token, {})
    expect(answerer.asked).toHaveLength(2)
  })

  test('is asked again when it would be sent elsewhere, with both destinations, and kept for the new one', async () => {
    const answerer = personSaying(canary('input'))
    const store = memoryCredentialStore()
    const inputs = inputAnswers({ origin, answerer, store })
    await inputs.answer(token, {})
    const moved = { ...token, destination: { ...destination, target: 'https://evil.example:443' } }
    expect(await inputs.answer(moved, {})).toBe(canary('input'))
    expect(answerer.asked[1]).toMatchObject({
      message:
        'Your token (the stored value of token of server "github" was entered for https://mcp.example:443 ' +
        '(/headers/authorization), and would now be sent to https://evil.example:443 (/headers/authorization); enter it again)',
    })
    await inputs.answer(moved, {})
    expect(answerer.asked).toHaveLength(2)
  })

  test.each([
    ['a secret', 'secret', personSaying('never')],
    ['an input that nobody can be asked for', 'input', undefined],
  ] as const)('is refused when it would be sent elsewhere and is %s', async (_what, kind, answerer) => {
    const store = memoryCredentialStore()
    await store.set({ principal: 'alice', server: 'github', id: 'token' }, canary('input'), destination)
    const inputs = inputAnswers({ origin, store, ...(answerer === undefined ? {} : { answerer }) })
    const moved = { ...token, kind, destination: { ...destination, fields: ['/url'] } }
    await expect(inputs.answer(moved, {})).rejects.toMatchObject({
      code: 'destination_changed',
      stored: destination,
      requested: moved.destination,
    })
  })

  test('has no answer when it is a secret that nobody kept', async () => {
    const answerer = personSaying(canary('input'))
    const inputs = inputAnswers({ origin, answerer, store: memoryCredentialStore() })
    expect(await inputs.answer({ ...token, kind: 'secret' }, {})).toBe(undefined)
    expect(answerer.asked).toEqual([])
  })

  test.each([
    ['nobody is there', undefined],
    ['the channel cannot show it', functionAnswerer(() => ({ action: 'accept' }), { kinds: ['form'] })],
    ['the person declines', functionAnswerer(() => ({ action: 'decline' }))],
    ['the answer is none of those offered', personSaying('another')],
    ['the channel fails', { ask: () => Promise.reject(new Error(canary('input'))) }],
    ['nobody answers in time', { ask: () => new Promise<never>(() => {}) }],
  ])('has no answer when %s', async (_what, answerer) => {
    const store = memoryCredentialStore()
    const inputs = inputAnswers({
      origin,
      store,
      timeoutMs: 20,
      ...(answerer === undefined ? {} : { answerer }),
    })
    expect(await inputs.answer({ ...token, options: ['one', 'two'] }, {})).toBe(undefined)
    expect(await store.get({ principal: 'alice', server: 'github', id: 'token' }, destination)).toBe(
      undefined,
    )
  })

  test('is not waited for after the caller gives up', async () => {
    const silent: Answerer = { ask: () => new Promise(() => {}) }
    const inputs = inputAnswers({ origin, answerer: silent, store: memoryCredentialStore() })
    const enough = new AbortController()
    const answer = inputs.answer(token, { signal: enough.signal })
    enough.abort(new Error('enough'))
    await expect(answer).rejects.toThrow('enough')
  })
})

test('the time that a person takes does not count against the start of the server', async () => {
  const pass = fakeTime()
  const document = {
    inputs: [{ id: 'name', type: 'promptString', description: 'A name' }],
    servers: {
      plain: {
        type: 'stdio',
        command: process.execPath,
        args: plainServer('plain').args,
        env: { NAME: '${input:name}' },
      },
    },
  }
  const slow = functionAnswerer(async () => {
    await pass(60_000)
    return { action: 'accept', content: { value: 'Ada' } }
  })
  const { servers } = readConfig(JSON.stringify(document), { file: join(process.cwd(), '.vscode/mcp.json') })
  await using bridge = await openBridge({
    ...permissive(servers),
    inputs: inputAnswers({ origin, answerer: slow, store: memoryCredentialStore() }),
    startTimeoutMs: 30_000,
  })
  expect(bridge.status()).toMatchObject([{ state: 'ready', serverInfo: { name: 'Ada' } }])
})

describe('a consent', () => {
  const request = { server: 'github', origin, url: 'https://login.example/authorize?x=1', scopes: ['repo'] }

  test('is asked with the whole address, and is what the person says', async () => {
    const asked: Question[] = []
    const agreeing = functionAnswerer((question) => {
      asked.push(question)
      return { action: 'accept' }
    })
    expect(await askConsent(agreeing, request, { signal: never })).toBe(true)
    expect(asked).toMatchObject([
      { kind: 'consent', url: request.url, host: 'login.example', scopes: ['repo'], warnings: [] },
    ])
    const refusing = functionAnswerer(() => undefined)
    expect(await askConsent(refusing, request, { signal: never })).toBe(false)
  })

  test.each(['javascript:alert(1)', 'http://login.example/', 'https://login.example@evil.example/', 'none'])(
    'is never asked for %s',
    async (url) => {
      const answerer: Answerer = { ask: () => Promise.reject(new Error('asked')) }
      expect(await askConsent(answerer, { ...request, url }, { signal: never })).toBe(false)
    },
  )
})
