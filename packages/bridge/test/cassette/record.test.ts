import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CassetteError, parseCassette, recordCassette } from '@toolbridge/bridge/cassette'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, expect, test } from 'vitest'
import { inMemory } from '../servers/in-memory.ts'
import { scriptedInMemory } from '../servers/scripted-in-memory.ts'
import { permissive } from '../servers/specs.ts'
import { linkOfficial, recorded, recordInto } from './recording.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolbridge-record-'))
afterAll(() => rmSync(folder, { recursive: true }))

const greeting = (name: string) => ({
  answerer: { ask: async () => ({ action: 'accept' as const, content: { name } }) },
})

test('every message is a line with its connection, direction and, once known, the era', async () => {
  const { text } = await recorded(permissive([inMemory('hello')]), (bridge) =>
    bridge.call('hello__hello', { name: 'Ada' }),
  )
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines[0]).toEqual({ type: 'cassette', version: 1, recordedAt: expect.stringMatching(/^\d{4}-.*Z$/) })
  expect(lines[1]).toEqual({ type: 'connection', connection: 1, server: 'hello', transport: 'stdio' })
  expect(
    lines
      .slice(2)
      .map(({ type, direction, message }) => `${direction ?? type} ${message?.method ?? ''}`.trim()),
  ).toEqual([
    'sent server/discover',
    'received',
    'sent initialize',
    'era',
    'received',
    'sent notifications/initialized',
    'sent tools/list',
    'received',
    'sent tools/call',
    'received',
  ])
  expect(lines[5]).toEqual({ type: 'era', connection: 1, era: 'legacy', protocolVersion: '2025-11-25' })
  expect(lines.at(-1).message.result.content).toEqual([{ type: 'text', text: 'Hello, Ada!' }])
})

test('a server of the modern era is recorded with its revision', async () => {
  const transportOf = await linkOfficial('modern', 'modern')
  const { cassette } = await recorded(
    { ...permissive([inMemory('hello', 'modern')]), transportOf },
    (bridge) => bridge.call('modern__hello', {}),
  )
  const [server] = cassette.servers
  expect(server?.connections).toHaveLength(1)
  expect(server?.connections[0]).toMatchObject({
    transport: 'stdio',
    era: 'modern',
    protocolVersion: '2026-07-28',
  })
})

test('questions are recorded with their answers, without what people said', async () => {
  const name = canary('answer')
  const { text, cassette } = await recorded(
    { ...permissive([inMemory('elicit')]), ...greeting(name) },
    (bridge) => bridge.call('elicit__greet_me'),
  )
  expect(text).not.toContain(name)
  const messages = cassette.servers[0]?.connections.flatMap((each) => each.messages) ?? []
  const at = messages.findIndex(({ message }) => message['method'] === 'elicitation/create')
  expect(messages[at]?.direction).toBe('received')
  expect(messages[at + 1]).toMatchObject({
    direction: 'sent',
    message: { result: { action: 'accept', content: { name: '[redacted]' } } },
  })
  expect(JSON.stringify(messages)).toContain('Hello, [redacted]!')
})

test.each([
  ['a text', (secret: string) => ({ content: [{ type: 'text', text: `key ${secret}` }] })],
  ['a name', (secret: string) => ({ content: [], structuredContent: { [secret]: 1 } })],
  [
    'base64',
    (secret: string) => ({ content: [{ type: 'text', text: Buffer.from(secret).toString('base64') }] }),
  ],
])('a secret of the definition that comes back in %s is not written', async (_, result) => {
  const secret = canary('environment')
  const transportOf = scriptedInMemory([{ name: 'leak', inputSchema: { type: 'object' } }], () =>
    result(secret),
  )
  const { text } = await recorded({ ...permissive([inMemory('hello')]), transportOf }, (bridge) =>
    bridge.call('hello__leak', {}),
  )
  expect(text).not.toContain(secret)
  expect(text).toContain('[redacted]')
})

test('a secret that comes back as a number or as parsed JSON is not written, and every line is JSON', async () => {
  const spec = { ...inMemory('hello'), env: { PIN: '73194628', ACCOUNT: '{"user":"ada","pin":5}' } }
  const result = {
    content: [],
    structuredContent: { pin: 73194628, account: { user: 'ada', pin: 5 }, ok: true },
  }
  const transportOf = scriptedInMemory([{ name: 'leak', inputSchema: { type: 'object' } }], () => result)
  const { cassette } = await recorded({ ...permissive([spec]), transportOf }, (bridge) =>
    bridge.call('hello__leak', {}),
  )
  const last = cassette.servers[0]?.connections[0]?.messages.at(-1)?.message
  expect(last?.['result']).toMatchObject({
    structuredContent: { pin: '[redacted]', account: '[redacted]', ok: true },
  })
})

test('a recording is continued, after a crash without the incomplete line, and only its owner can read it', async () => {
  const file = join(folder, 'continued')
  const options = permissive([inMemory('hello')])
  await recordInto(file, options, (bridge) => bridge.call('hello__hello', {}))
  appendFileSync(file, '{"type":"message","connec')
  expect(parseCassette(readFileSync(file, 'utf8'), file).isTruncated).toBe(true)
  await recordInto(file, options, (bridge) => bridge.call('hello__hello', { name: 'Ada' }))
  const { isTruncated, servers } = parseCassette(readFileSync(file, 'utf8'), file)
  expect(isTruncated).toBe(false)
  expect(servers.map(({ name, connections }) => [name, connections.length])).toEqual([['hello', 2]])
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a file that is not a cassette is not overwritten', () => {
  const file = join(folder, 'notes.txt')
  writeFileSync(file, 'buy milk\n')
  expect(() => recordCassette(file)).toThrow(CassetteError)
  expect(readFileSync(file, 'utf8')).toBe('buy milk\n')
})

const header = '{"type":"cassette","version":1,"recordedAt":""}'
const connection = '{"type":"connection","connection":1,"server":"a","transport":"stdio"}'

test.each([
  ['', 'f: the cassette is empty'],
  ['{"mcpServers":{}}\n', 'f:1: not a cassette: the first line must have "type": "cassette"'],
  ['{"type":"cassette","version":2}\n', 'f:1: version 2 of the format is not supported; expected 1'],
  [`${header}\n${connection}\n{"type":"mess\n${connection}\n`, 'f:3: the line is not a JSON object'],
  [`${header}\n\n${connection}\n`, 'f:2: the line is empty'],
  [`${header}\n{"type":"song"}\n`, 'f:2: "type" is "song"; expected "connection", "era" or "message"'],
  [
    `${header}\n{"type":"connection","connection":1,"server":"a","transport":"pigeon"}\n`,
    'f:2: "transport" is "pigeon"; expected one of stdio, http, sse, ws',
  ],
  [`${header}\n{"type":"connection","connection":1}\n`, 'f:2: "server" must be the name of a server'],
  [
    `${header}\n${connection}\n{"type":"message","connection":2,"direction":"sent","message":{}}\n`,
    'f:3: connection 2 was not opened before',
  ],
  [
    `${header}\n${connection}\n{"type":"message","connection":1,"direction":"up","message":{}}\n`,
    'f:3: "direction" is "up"; expected "sent" or "received"',
  ],
  [
    `${header}\n${connection}\n{"type":"message","connection":1,"direction":"sent","message":[]}\n`,
    'f:3: "message" must be a JSON-RPC message',
  ],
  [
    `${header}\n${connection}\n{"type":"era","connection":1,"era":"old"}\n`,
    'f:3: "era" is "old"; expected "legacy" or "modern"',
  ],
])('a damaged cassette is refused with its file, line and reason: %#', (text, message) => {
  expect(() => parseCassette(text, 'f')).toThrow(
    new CassetteError(message.replace(/^f(?::\d+)?: /, ''), {
      file: 'f',
      line: Number(/^f:(\d+)/.exec(message)?.[1] ?? Number.NaN) || undefined,
    }),
  )
})
