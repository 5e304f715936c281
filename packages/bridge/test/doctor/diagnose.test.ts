import { createMemoryPair, type JsonRpcMessage, type McpTransport } from '@toolbridge/client'
import { type DiagnoseOptions, diagnose, type StageResult, stages } from '@toolbridge/bridge/doctor'
import { type HttpServerSpec, resolveSpec } from '@toolbridge/bridge/config'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'
import { createSchemaChecks } from '../../src/catalog/schema/schema-checks.ts'
import { Probe } from '../../src/doctor/probe.ts'
import { fakeTime } from '../servers/fake-time.ts'
import { inMemory, linkInMemory } from '../servers/in-memory.ts'

/** A session looks for no program, which a server in this process does not have. */
const authority = { kind: 'session' } as const

async function all(options: DiagnoseOptions): Promise<readonly StageResult[]> {
  const results: StageResult[] = []
  for await (const result of diagnose(options)) results.push(result)
  return results
}

function diagnosed(names: readonly string[]): Promise<readonly StageResult[]> {
  const servers = names.map((name) => inMemory('hello', name))
  return all({ configuration: { servers }, authority, transportOf: linkInMemory })
}

type Answers = Readonly<Record<string, object>>

/** A server that answers as given, and nothing else. */
function answering(results: Answers): {
  readonly link: McpTransport
  readonly received: string[]
  readonly sent: { readonly method: string; readonly params?: unknown }[]
} {
  const [link, end] = createMemoryPair()
  const received: string[] = []
  const sent: { readonly method: string; readonly params?: unknown }[] = []
  end.onclose = () => received.push('closed')
  end.onmessage = (message: JsonRpcMessage) => {
    if (!('method' in message)) return
    received.push(message.method)
    sent.push(message)
    const answer = results[message.method]
    if ('id' in message && answer !== undefined) void end.send({ jsonrpc: '2.0', id: message.id, ...answer })
  }
  void end.start()
  return { link, received, sent }
}

const serverInfo = { name: 'small', version: '1' }
const refusal = { error: { code: -32601, message: 'method not found' } }
const handshake = {
  'server/discover': refusal,
  initialize: { result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } },
}

test('the server is asked as the bridge would ask it: with elicitation, unless the policy turns it off', async () => {
  const declared = async (policy: object): Promise<unknown> => {
    const { link, sent } = answering({
      ...handshake,
      ping: { result: {} },
      'tools/list': { result: { tools: [] } },
    })
    const spec = { ...inMemory('hello', 'small'), policy }
    await all({ configuration: { servers: [spec] }, authority, transportOf: () => link })
    return sent.find(({ method }) => method === 'initialize')?.params
  }
  expect(await declared({})).toMatchObject({ capabilities: { elicitation: { form: {}, url: {} } } })
  expect(await declared({ elicitation: ['off'] })).toMatchObject({ capabilities: {} })
  expect(await declared({ elicitation: ['off'] })).not.toHaveProperty('capabilities.elicitation')
})

test('a server without problems passes every stage in order', async () => {
  const results = await diagnosed(['hello'])
  const ofServer = results.filter(({ server }) => server === 'hello')
  expect(ofServer.map(({ outcome }) => outcome)).toEqual(
    ofServer.map(({ stage }) => (stage === 'binary' ? 'skipped' : 'ok')),
  )
  const [first, ...others] = ofServer.map(({ stage }) => stages.indexOf(stage))
  expect(first).toBe(stages.indexOf('variables'))
  // The names of all servers are compared at the end.
  expect(others.toSpliced(-1)).toEqual(others.toSpliced(-1).toSorted((a, b) => a - b))
  expect(ofServer.at(-1)).toMatchObject({
    stage: 'names',
    facts: { names: ['hello__hello', 'hello__repeat'] },
  })
})

test('a secret that a server has put into the name of a tool is in no result', async () => {
  const key = canary('environment')
  const { link } = answering({
    ...handshake,
    ping: { result: {} },
    'tools/list': { result: { tools: [{ name: `query_${key}`, inputSchema: { type: 'object' } }] } },
  })
  const servers = [{ ...inMemory('hello'), env: { KEY: key } }]
  const results = await all({ configuration: { servers }, authority, transportOf: () => link })
  expect(results.find(({ stage }) => stage === 'names')).toMatchObject({
    facts: { rawNames: ['query_[redacted]'] },
  })
  expect(JSON.stringify(results)).not.toContain(key)
  expect(JSON.stringify(results)).not.toContain(key.replaceAll(/\W/g, '_'))
})

test('a server that shakes hands and refuses to list its tools fails in the stage list [S3-26]', async () => {
  const { link } = answering({
    ...handshake,
    'tools/list': { error: { code: -32603, message: 'no database' } },
  })
  const results = await all({
    configuration: { servers: [inMemory('hello')] },
    authority,
    transportOf: () => link,
  })
  const byStage = Object.fromEntries(results.map((result) => [result.stage, result]))
  expect(byStage['era']).toMatchObject({ outcome: 'ok', facts: { protocolVersion: '2025-11-25' } })
  expect(byStage['list']).toMatchObject({
    outcome: 'error',
    code: 'list_refused',
    seen: expect.stringContaining('no database'),
  })
  expect(byStage['tokens']).toMatchObject({ outcome: 'skipped', code: 'not_reached' })
  expect(byStage['exit']).toMatchObject({ outcome: 'ok' })
})

test('names of tools are compared across servers', async () => {
  const results = await diagnosed(['my-files', 'my_files'])
  const collisions = results.filter(({ code }) => code === 'name_collision')
  expect(collisions.map(({ server }) => server)).toEqual(['my-files', 'my-files', 'my_files', 'my_files'])
})

test('a consumer that stops early closes the servers that are still silent', async () => {
  const { link, received } = answering({})
  const servers = [inMemory('hello', 'silent'), inMemory('hello')]
  const running = diagnose({
    configuration: { servers },
    authority,
    transportOf: (spec) => (spec.name === 'silent' ? link : linkInMemory(spec)),
  })
  for await (const { stage, server } of running) if (stage === 'exit' && server === 'hello') break
  expect(received).toEqual(['server/discover', 'closed'])
})

test('an aborted diagnosis throws the reason of its signal', async () => {
  const { link } = answering({})
  const controller = new AbortController()
  const running = all({
    configuration: { servers: [inMemory('hello')] },
    authority,
    transportOf: () => link,
    signal: controller.signal,
  })
  const reason = new Error('enough')
  setImmediate(() => controller.abort(reason))
  await expect(running).rejects.toBe(reason)
})

test('a diagnosis that is not active reaches no server', async () => {
  const results = await all({
    configuration: { servers: [inMemory('hello')] },
    authority,
    isActive: false,
    transportOf: () => {
      throw new Error('reached')
    },
  })
  const skipped = results.filter(({ code }) => code === 'not_active').map(({ stage }) => stage)
  expect(skipped).toEqual(stages.slice(stages.indexOf('spawn')))
})

test('what a server repeats of the secrets of its definition is not in a finding [C18]', async () => {
  const spec = inMemory('hello')
  const secret = spec.env['CANARY'] ?? ''
  const error = { error: { code: -32603, message: `no access with ${secret}` } }
  const { link } = answering({ ...handshake, 'tools/list': error })
  const results = await all({ configuration: { servers: [spec] }, authority, transportOf: () => link })
  expect(JSON.stringify(results)).toContain('no access with [redacted]')
  expect(JSON.stringify(results)).not.toContain(secret)
})

const tool = (name: string, description = ''): object => ({
  name,
  description,
  inputSchema: { type: 'object' },
})
const list = (...tools: readonly object[]): Answers => ({ 'tools/list': { result: { tools } } })
const shaken = (result: object): Answers => ({ ...handshake, initialize: { result } })

test.each<[code: string, stage: string, answers: Answers]>([
  [
    'initialize_refused',
    'era',
    { ...handshake, initialize: { error: { code: -32000, message: 'no license' } } },
  ],
  ['version_unsupported', 'era', shaken({ protocolVersion: '1999-01-01', capabilities: {}, serverInfo })],
  ['handshake_invalid', 'era', shaken({ protocolVersion: '2025-11-25' })],
  ['tool_repeated', 'names', { ...handshake, ...list(tool('twice'), tool('twice')), ping: { result: {} } }],
  [
    'tokens_high',
    'tokens',
    { ...handshake, ...list(tool('long', 'word '.repeat(11_000))), ping: { result: {} } },
  ],
  ['ping_failed', 'latency', { ...handshake, ...list() }],
])('a server shows %s in the stage %s, with a fix', async (code, stage, answers) => {
  const { link } = answering(answers)
  const configuration = { servers: [inMemory('hello')] }
  const results = await all({ configuration, authority, transportOf: () => link, timeouts: { pingMs: 10 } })
  expect(results.filter(({ fix }) => fix !== undefined)).toMatchObject([{ code, stage }])
})

test('a search for another endpoint takes at most five seconds per path, whatever the start timeout', async () => {
  const written: HttpServerSpec = {
    name: 'shop',
    transport: 'http',
    enabled: true,
    required: false,
    source: { file: 'test', pointer: '/shop' },
    url: 'https://shop.example/x',
    headers: {},
    timeouts: { startMs: 60_000 },
  }
  const { spec } = await resolveSpec(written, authority)
  const checks = createSchemaChecks()
  const probe = new Probe(written, spec, { authority, checks, transportOf: () => answering({}).link })
  const pass = fakeTime()
  const found: boolean[] = []
  void probe.answersAt('https://shop.example/mcp').then((isFound) => found.push(isFound))
  await pass(4_999)
  expect(found).toEqual([])
  await pass(1)
  expect(found).toEqual([false])
})
