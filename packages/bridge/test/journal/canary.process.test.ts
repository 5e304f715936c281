import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import {
  type Answerer,
  type BridgeEvent,
  type HttpServerSpec,
  openBridge,
  type Question,
  type ServerSpec,
} from '@toolbridge/bridge'
import { jsonLinesSink } from '@toolbridge/bridge/journal'
import { canary, canaryIn, takeLeaks } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'
import { redactedQuestion } from '../../src/elicitation/redacting-answerer.ts'
import { Redaction } from '../../src/journal/redaction/redaction.ts'
import { ownServer } from '../servers/specs.ts'

/** A parrot with a canary in everything that a definition can hand to a process. */
function parrot(): ServerSpec {
  const spec = ownServer('parrot')
  return {
    ...spec,
    args: [...spec.args, `--token=${canary('argument')}`, '--drawn=${env:DRAWN}', '--asked=${input:asked}'],
    env: { PARROT_ENV: canary('environment'), PARROT_REFERENCE: 'Bearer ${env:REFERENCE}' },
    inputs: [{ id: 'asked', isSecret: true }],
  }
}

const env = { ...process.env, DRAWN: canary('drawn'), REFERENCE: canary('reference') }
const authority = { kind: 'local', env, workspaceFolder: '/' } as const
const inputs = { answer: async () => canary('input') }

/** Says yes to everything, tells a canary about itself, and keeps what it was shown. */
function keepingAnswerer(): Answerer & { readonly shown: readonly Question[] } {
  const shown: Question[] = []
  return {
    shown,
    ask: async (question) => {
      shown.push(question)
      return {
        action: 'accept',
        ...(question.kind === 'form' ? { content: { city: canary('answer') } } : {}),
      }
    },
  }
}

test('a server that repeats all its secrets in every way gets none of them past the bridge [C18]', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'toolbridge-canary-'))
  const file = join(folder, 'journal.jsonl')
  const sink = jsonLinesSink(file)
  const answerer = keepingAnswerer()
  const events: BridgeEvent[] = []
  const journal = (event: BridgeEvent): void => {
    sink.journal(event)
    events.push(event)
  }
  const failing = { ...parrot(), name: 'failing', command: '/nowhere/to/be/found' } as ServerSpec
  const bridge = await openBridge({ servers: [parrot(), failing], authority, inputs, answerer, journal })
  const ready = bridge.status()
  expect(ready).toMatchObject([{}, { state: 'ready', serverInfo: { name: 'parrot [redacted]' } }])
  expect(await bridge.retry('parrot')).toMatchObject({ serverInfo: { name: 'parrot [redacted]' } })
  const said = bridge.tools.find(({ rawName }) => rawName.startsWith('say_'))?.name ?? ''
  const errors = [
    ...(await failuresOf(bridge, ['parrot__refuse', 'parrot__report', 'parrot__ask'])),
    ...(await failuresOf(bridge, [said], { text: canary('environment') })),
    ...(await refusalsOf(bridge)),
    ...(await failuresOf(bridge, ['parrot__die'])),
  ]
  expect(errors).not.toContain('nothing was refused')
  const status = [...ready, ...bridge.status()].map(({ tools: _names, ...known }) => known)
  await bridge.close()
  await sink.close()
  const types = new Set(events.map(({ type }) => type))
  for (const type of ['server.log', 'connection.opened', 'connection.failed', 'question.answered'] as const)
    expect(types).toContain(type)
  const told = [events, answerer.shown, errors, status].map((part) => inspect(part, { depth: 20 }))
  const written = await readFile(file, 'utf8')
  await rm(folder, { recursive: true })
  for (const text of [...told, written]) expect(text).toContain('[redacted]')
  for (const text of [...told, written]) expect(canaryIn(text)).toBeUndefined()
})

async function failuresOf(
  bridge: Awaited<ReturnType<typeof openBridge>>,
  names: readonly string[],
  args: Readonly<Record<string, unknown>> = {},
): Promise<readonly unknown[]> {
  const failures: unknown[] = []
  for (const name of names) await bridge.call(name, args).catch((error: unknown) => failures.push(error))
  return failures
}

async function refusalsOf(bridge: Awaited<ReturnType<typeof openBridge>>): Promise<readonly unknown[]> {
  const [resource] = await bridge.resources.list()
  const [prompt] = await bridge.prompts.list()
  const uri = resource?.definition.uri ?? ''
  const settled = await Promise.allSettled([
    bridge.resources.read('parrot', uri),
    bridge.resources.complete('parrot', {
      ref: { type: 'ref/resource', uri },
      argument: { name: 'a', value: '' },
    }),
    bridge.prompts.get('parrot', prompt?.definition.name ?? ''),
  ])
  return settled.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : 'nothing was refused'))
}

test('neither headers nor tokens nor what an address holds come back from a server that repeats them', async () => {
  const server = createServer((request, response) => void repeat(request, response)).listen(0, '127.0.0.1')
  async function repeat(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { authorization, 'x-key': key } = request.headers
    const { id } = JSON.parse((await request.toArray()).join('') || '{}') as { id?: number }
    const message = `${authorization} ${String(key)} ${request.url} ${Buffer.from(`${authorization}`).toString('base64')}`
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message, data: message } }))
  }
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const spec: HttpServerSpec = {
    name: 'remote',
    transport: 'http',
    enabled: true,
    required: false,
    source: { file: 'test', pointer: '' },
    url: `http://127.0.0.1:${port}/${canary('path')}123/mcp?key=${canary('query')}`,
    headers: { 'x-key': canary('header') },
  }
  const authorization = {
    authorize: async () => 'authorized' as const,
    headersFor: () => ({ authorization: `Bearer ${canary('token')}` }),
    onRefused: async () => false,
  }
  const events: BridgeEvent[] = []
  await using bridge = await openBridge({
    servers: [spec],
    authority,
    credentials: () => ({ id: 'account', authorization }),
    journal: (event) => events.push(event),
  })
  const told = inspect([events, bridge.status()], { depth: 20 })
  expect(told).toContain('[redacted]')
  expect(canaryIn(told)).toBeUndefined()
  server.close()
})

test('a number that somebody answered is told nobody else, unless it is a common one', () => {
  const redaction = new Redaction()
  redaction.answered([4_111_111_111_111_111, 5, -1.5])
  expect(redaction.text('no credit: 4111111111111111 (5 tries)')).toBe('no credit: [redacted] (5 tries)')
})

test('what a form offers to choose from stays, though the server was given it', async () => {
  const redaction = new Redaction()
  redaction.definitions.keep(['ada@example.com'])
  const question: Question = {
    kind: 'form',
    id: '1',
    origin: { principal: 'ada', conversation: 'main' },
    server: 'mail',
    message: 'From ada@example.com?',
    schema: {
      type: 'object',
      properties: {
        from: { type: 'string', title: 'as ada@example.com', enum: ['ada@example.com', 'other'] },
      },
    },
  }
  expect(redactedQuestion(question, redaction.definitions)).toMatchObject({
    message: 'From [redacted]?',
    schema: { properties: { from: { title: 'as [redacted]', enum: ['ada@example.com', 'other'] } } },
  })
})

test('the scan of this run hears bridges to which nobody listens', async () => {
  expect(takeLeaks()).toEqual([])
  // Names that the host gives are left as they are, so this one is let out.
  const telling = { ...ownServer('late'), name: canary('name') }
  const bridge = await openBridge({ servers: [telling], authority })
  bridge.status()
  await bridge.close()
  expect(new Set(takeLeaks().map(({ where }) => where))).toEqual(new Set(['events', 'states']))
})
