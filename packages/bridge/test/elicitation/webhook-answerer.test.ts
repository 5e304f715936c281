import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ApprovalQuestion, FormQuestion } from '@toolbridge/bridge/questions'
import { type SignedBody, webhookAnswerer } from '@toolbridge/bridge/webhook'
import { allowInsecureHttp, allowLoopback } from '@toolbridge/client/auth'
import { canary } from '@toolbridge/testkit/secrets'
import { describe, expect, test } from 'vitest'

const secret = canary('webhook')
const never = new AbortController().signal
const ownMachine = { [allowLoopback]: true, [allowInsecureHttp]: true }
const commons = { id: 'q1', origin: { principal: 'p', conversation: 'c' }, server: 's', message: 'Well?' }
const form: FormQuestion = { ...commons, kind: 'form', schema: { type: 'object' } }
const approval: ApprovalQuestion = {
  ...commons,
  kind: 'approval',
  tool: 't',
  detail: 't {}',
  arguments: { text: '{}', omitted: 0 },
}

interface Hook extends AsyncDisposable {
  readonly url: string
  readonly received: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }[]
}

/** A program that answers each question in the same way. */
async function startHook(status: number, answer: unknown = {}): Promise<Hook> {
  const received: Hook['received'] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += String(chunk)
    })
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body })
      response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(JSON.stringify(answer))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/questions?key=${canary('address')}`,
    received,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A program that takes what is posted and never says so. */
async function startSilentHook(): Promise<Hook> {
  const received: Hook['received'] = []
  const server = createServer((request) => {
    request.on('data', (chunk) => {
      received.push({ path: '', headers: {}, body: String(chunk) })
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    received,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function signed(message: object | string): SignedBody {
  const body = typeof message === 'string' ? message : JSON.stringify(message)
  const timestamp = String(Math.floor(Date.now() / 1_000))
  return { body, timestamp, signature: signatureOf(timestamp, body) }
}

function signatureOf(timestamp: unknown, body: string, by: string = secret): string {
  return `v1=${createHmac('sha256', by)
    .update(`${String(timestamp)}.${body}`)
    .digest('hex')}`
}

test('a question is posted with the time and a signature, and answered in the response', async () => {
  await using hook = await startHook(200, { action: 'accept', content: { name: 'Ada' } })
  const answerer = webhookAnswerer({ url: hook.url, secret, guard: ownMachine })
  const before = Math.floor(Date.now() / 1_000)
  expect(await answerer.ask(form, { signal: never })).toEqual({ action: 'accept', content: { name: 'Ada' } })
  const after = Date.now() / 1_000
  const [{ headers, body, path } = { headers: {}, body: '', path: '' }] = hook.received
  expect(JSON.parse(body)).toEqual({ type: 'question', question: form })
  expect(headers['toolbridge-signature']).toBe(signatureOf(headers['toolbridge-timestamp'], body))
  const postedAt = Number(headers['toolbridge-timestamp'])
  expect(postedAt >= before && postedAt <= after).toBe(true)
  expect(path + JSON.stringify(headers) + body).not.toContain(secret)
})

describe('an answer that comes later', () => {
  test('is taken when it is signed, once', async () => {
    await using hook = await startHook(202)
    const answerer = webhookAnswerer({ url: hook.url, secret, guard: ownMachine })
    const answer = answerer.ask(approval, { signal: never })
    await expect.poll(() => hook.received).toHaveLength(1)
    const message = signed({ id: 'q1', answer: { action: 'accept', decision: 'session' } })
    expect(answerer.receive(message)).toBe(true)
    expect(answerer.receive(signed({ id: 'q1', answer: { action: 'decline' } }))).toBe(false)
    expect(await answer).toEqual({ action: 'accept', decision: 'session' })
    expect(answerer.receive(message)).toBe(false)
  })

  test.each([
    '{"id":"q1","answer":{"action":"decline"},"answer":{"action":"accept","decision":"session"}}',
    '{"id":"q1","answer":{"action":"decline","a\\u0063tion":"accept","decision":"session"}}',
  ])('is not taken when two readers could read it differently: %s, advisory [D1]', async (body) => {
    await using hook = await startHook(202)
    const answerer = webhookAnswerer({ url: hook.url, secret, guard: ownMachine })
    const answer = answerer.ask(approval, { signal: never })
    await expect.poll(() => hook.received).toHaveLength(1)
    expect(answerer.receive(signed(body))).toBe(false)
    expect(answerer.receive(signed({ id: 'q1', answer: { action: 'decline' } }))).toBe(true)
    expect(await answer).toEqual({ action: 'decline' })
  })

  test('is taken though the question itself was never acknowledged', async () => {
    await using hook = await startSilentHook()
    const answerer = webhookAnswerer({ url: hook.url, secret, guard: ownMachine })
    const answer = answerer.ask(form, { signal: never })
    await expect.poll(() => hook.received).toHaveLength(1)
    expect(answerer.receive(signed({ id: 'q1', answer: { action: 'decline' } }))).toBe(true)
    expect(await answer).toEqual({ action: 'decline' })
  })

  test.each([
    ['signed by somebody else', (body: string, time: number) => [time, signatureOf(time, body, 'another')]],
    ['signed long ago', (body: string, time: number) => [time - 3_600, signatureOf(time - 3_600, body)]],
    ['signed for another time', (body: string, time: number) => [time, signatureOf(time - 1, body)]],
    ['signed at no time', (body: string) => ['soon', signatureOf('soon', body)]],
    ['about another question', (_body: string, time: number) => [time, signatureOf(time, '{"id":"q2"}')]],
  ] as const)('is not taken when it is %s', async (_what, sign) => {
    await using hook = await startHook(202)
    const answerer = webhookAnswerer({ url: hook.url, secret, guard: ownMachine })
    const withdrawn = new AbortController()
    const answer = answerer.ask(form, { signal: withdrawn.signal })
    await expect.poll(() => hook.received).toHaveLength(1)
    const body = JSON.stringify({ id: 'q1', answer: { action: 'accept' } })
    const [timestamp, signature] = sign(body, Math.floor(Date.now() / 1_000))
    expect(answerer.receive({ body, timestamp: String(timestamp), signature: String(signature) })).toBe(false)
    withdrawn.abort(new Error('withdrawn'))
    await expect(answer).rejects.toThrow('withdrawn')
    await expect
      .poll(() => hook.received.map(({ body: posted }) => JSON.parse(posted)))
      .toContainEqual({
        type: 'withdrawn',
        id: 'q1',
      })
  })
})

test.each([
  ['an error', 500, { action: 'accept' }],
  ['a redirect, which is not followed', 302, { action: 'accept' }],
  ['something that is no answer', 200, { action: 'perhaps' }],
  ['content that is none', 200, { action: 'accept', content: { deep: {} } }],
])('%s is a failure and no answer', async (_what, status, body) => {
  await using hook = await startHook(status, body)
  const answerer = webhookAnswerer({ url: hook.url, secret, guard: ownMachine })
  await expect(answerer.ask(form, { signal: never })).rejects.toThrow('no answer')
  expect(hook.received).toHaveLength(1)
})

test.each([
  'http://127.0.0.1:1/',
  'https://169.254.169.254/',
  'http://example.com/',
  'https://a@example.com/',
])('nothing is posted to %s', async (url) => {
  await expect(webhookAnswerer({ url, secret }).ask(form, { signal: never })).rejects.toMatchObject({
    name: 'McpSsrfError',
  })
})

test('a program that is silent is not waited for', async () => {
  await using hook = await startSilentHook()
  const options = { url: hook.url, secret, guard: ownMachine, timeoutMs: 50 }
  await expect(webhookAnswerer(options).ask(form, { signal: never })).rejects.toMatchObject({
    name: 'AbortError',
  })
})

test('a question that is withdrawn while it is posted is told as withdrawn', async () => {
  await using hook = await startSilentHook()
  const withdrawn = new AbortController()
  const answerer = webhookAnswerer({ url: hook.url, secret, guard: ownMachine, timeoutMs: 1_000 })
  const answer = answerer.ask(form, { signal: withdrawn.signal })
  await expect.poll(() => hook.received).toHaveLength(1)
  withdrawn.abort(new Error('withdrawn'))
  await expect(answer).rejects.toThrow('withdrawn')
  await expect
    .poll(() => hook.received.map(({ body }) => JSON.parse(body)))
    .toContainEqual({ type: 'withdrawn', id: 'q1' })
})

test('a short secret is refused at once', () => {
  expect(() => webhookAnswerer({ url: 'https://example.com/', secret: 'short' })).toThrow('16 characters')
})

test('each question takes a connection of its own: one that was kept may be hung up at that moment', async () => {
  await using hook = await startHook(200, { action: 'decline' })
  const answerer = webhookAnswerer({ url: hook.url, secret, guard: ownMachine })
  await answerer.ask(form, { signal: never })
  await answerer.ask({ ...form, id: 'q2' }, { signal: never })
  expect(hook.received.map(({ headers }) => headers.connection)).toEqual(['close', 'close'])
})
