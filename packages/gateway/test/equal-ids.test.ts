import { paths } from '@toolbridge/api'
import { createMemoryPair } from '@toolbridge/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearerOf } from './support/gateway.ts'
import { connectHost } from './support/host.ts'
import { type ListeningGateway, listenTestGateway } from './support/listening.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { modernRevision } from './support/modern.ts'
import { savedInMemory } from './support/specs.ts'
import { canary } from '@toolbridge/testkit/secrets'
import { untilServer } from './support/waiting.ts'

const lockbox = await openFileLockbox()
let listening: ListeningGateway

interface Request {
  readonly id: number
  readonly method: string
  readonly params?: {
    readonly arguments?: { readonly text?: string }
    readonly _meta?: { readonly progressToken?: number }
  }
}

/** A server that says a text once as progress and once as its result, after the other calls that wait. */
const echo = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'echo', version: '1' },
  },
  'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
}

function linkEcho() {
  const [link, end] = createMemoryPair()
  end.onmessage = (message) => {
    const { id, method, params } = message as Request
    if (id === undefined) return
    const answer = (result: object): void => void end.send({ jsonrpc: '2.0', id, result })
    if (method !== 'tools/call')
      return answer(Object.hasOwn(echo, method) ? echo[method as keyof typeof echo] : {})
    const text = params?.arguments?.text ?? ''
    const progress = { progressToken: params?._meta?.progressToken, progress: 1, message: text }
    setImmediate(() => {
      void end.send({ jsonrpc: '2.0', method: 'notifications/progress', params: progress })
      setImmediate(answer, { content: [{ type: 'text', text }] })
    })
  }
  return link
}

const people = ['ada', 'bob'] as const

type Person = (typeof people)[number]

beforeAll(async () => {
  listening = await listenTestGateway({ lockbox, transportOf: linkEcho })
  for (const person of people) {
    await listening.gateway.as(person).post(paths.config, { mcpServers: { echo: savedInMemory('hello') } })
    await untilServer(listening.gateway.as(person), 'echo', 'ready')
  }
})
afterAll(() => listening[Symbol.asyncDispose]())

/** Calls of each person that run at the same time in each era: the limit of the gateway is 128 in both. */
const atOnce = 50

const modern = {
  'mcp-protocol-version': modernRevision,
  'mcp-method': 'tools/call',
  'mcp-name': 'echo__echo',
}

const identity = {
  'io.modelcontextprotocol/protocolVersion': modernRevision,
  'io.modelcontextprotocol/clientInfo': { name: 'host', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** Returns the messages that answer a call: its progress and its result. */
async function heard(
  person: Person,
  id: number,
  headers: Record<string, string>,
  meta: object,
): Promise<unknown> {
  const params = {
    name: 'echo__echo',
    arguments: { text: `${person} ${id}` },
    _meta: { ...meta, progressToken: id },
  }
  const response = await fetch(listening.url + paths.mcp, {
    method: 'POST',
    headers: {
      authorization: bearerOf(person),
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }),
  })
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: {'))
  return lines.map((line) => JSON.parse(line.slice('data: '.length)))
}

function expected(person: Person, id: number): unknown {
  const text = `${person} ${id}`
  return [
    expect.objectContaining({
      method: 'notifications/progress',
      params: { progressToken: id, progress: 1, message: text },
    }),
    expect.objectContaining({ id, result: expect.objectContaining({ content: [{ type: 'text', text }] }) }),
  ]
}

test('1,000 pairs of calls of two people with equal ids get their own progress and results in both eras, advisory [E1]', async () => {
  await using ada = await connectHost(listening.url, { token: canary('ada') })
  await using bob = await connectHost(listening.url, { token: canary('bob') })
  const sessions = { ada: ada.sessionId ?? '', bob: bob.sessionId ?? '' }
  const inEra = {
    legacy: (person: Person, id: number) => heard(person, id, { 'mcp-session-id': sessions[person] }, {}),
    modern: (person: Person, id: number) => heard(person, id, modern, identity),
  }
  for (let first = 0; first < 500; first += atOnce) {
    const ids = Array.from({ length: atOnce }, (_, index) => first + index)
    const pairs = ids.flatMap((id) => people.map((person) => ({ person, id })))
    const all = [inEra.legacy, inEra.modern].flatMap((call) =>
      pairs.map(({ person, id }) => call(person, id)),
    )
    const answers = pairs.map(({ person, id }) => expected(person, id))
    expect(await Promise.all(all)).toEqual([...answers, ...answers])
  }
})

test('calls of two sessions of one person with equal ids get their own progress and results, advisory [E1]', async () => {
  await using one = await connectHost(listening.url, { token: canary('ada') })
  await using other = await connectHost(listening.url, { token: canary('ada') })
  const calls = [one, other].flatMap(({ sessionId = '' }) =>
    Array.from({ length: 50 }, (_, id) => heard('ada', id, { 'mcp-session-id': sessionId }, {})),
  )
  const ids = Array.from({ length: 100 }, (_, index) => index % 50)
  expect(await Promise.all(calls)).toEqual(ids.map((id) => expected('ada', id)))
})

test('a session of another person is not found, also with the id of a running call, advisory [E1]', async () => {
  await using ada = await connectHost(listening.url, { token: canary('ada') })
  const [own, foreign] = await Promise.all(
    people.map((person) => heard(person, 1, { 'mcp-session-id': ada.sessionId ?? '' }, {})),
  )
  expect(own).toEqual(expected('ada', 1))
  expect(foreign).toEqual([])
})
