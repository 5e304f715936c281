import { readFileSync } from 'node:fs'
import { localAuthority, type BridgeOptions } from '@toolbridge/bridge'
import { type Cassette, type DriftOptions, type DriftReport, findDrift } from '@toolbridge/bridge/cassette'
import type { Tool } from '@toolbridge/client'
import { canary } from '@toolbridge/testkit/secrets'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test, vi } from 'vitest'
import { inMemory } from '../servers/in-memory.ts'
import { type Answer, scriptedInMemory } from '../servers/scripted-in-memory.ts'
import { permissive } from '../servers/specs.ts'
import { linkOfficial, recorded } from './recording.ts'

const echo: Tool = {
  name: 'echo',
  description: 'Repeats a text.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
}
const old: Tool = { name: 'old', inputSchema: { type: 'object' } }

const repeat: Answer = ({ arguments: given }) => ({
  content: [{ type: 'text', text: JSON.stringify(given) }],
})

/** A recording of the tool `echo` with these arguments. */
async function recording(
  tools: readonly Tool[],
  answer: Answer,
  ...calls: readonly object[]
): Promise<Cassette> {
  const options = { ...permissive([inMemory('hello')]), transportOf: scriptedInMemory(tools, answer) }
  const { cassette } = await recorded(options, async (bridge) => {
    for (const args of calls) await bridge.call('hello__echo', { ...args })
  })
  return cassette
}

function compared(
  cassette: Cassette,
  transportOf: NonNullable<BridgeOptions['transportOf']>,
  options: Partial<DriftOptions> = {},
): Promise<DriftReport> {
  const { signal } = new AbortController()
  return findDrift(cassette, inMemory('hello'), {
    authority: localAuthority(),
    signal,
    transportOf,
    ...options,
  })
}

test('a server that behaves as recorded has no drift', async () => {
  const cassette = await recording([echo], repeat, { text: 'hi' }, { text: 'ho' })
  expect(await compared(cassette, scriptedInMemory([echo], repeat))).toEqual({
    server: 'hello',
    compared: 3,
    skipped: [],
    drift: [],
  })
})

test('tools that were added, removed or changed, and other results, are drift', async () => {
  const cassette = await recording([echo, old], repeat, { text: 'hi' })
  const changed = {
    ...echo,
    inputSchema: { type: 'object' as const, properties: { text: { type: 'number' } } },
  }
  const live = scriptedInMemory([changed, { ...old, name: 'new' }], () => ({
    content: [{ type: 'text', text: 'HI' }],
  }))
  const { drift } = await compared(cassette, live)
  expect(drift).toEqual([
    {
      kind: 'changed',
      subject: 'tool echo',
      differences: [{ path: 'inputSchema.properties.text.type', recorded: 'string', live: 'number' }],
    },
    { kind: 'removed', subject: 'tool old', differences: [] },
    { kind: 'added', subject: 'tool new', differences: [] },
    {
      kind: 'changed',
      subject: 'tools/call echo {"text":"hi"}',
      differences: [{ path: 'content.0.text', recorded: '{"text":"hi"}', live: 'HI' }],
    },
  ])
})

test('a result that became an error is drift', async () => {
  const cassette = await recording([echo], repeat, { text: 'hi' })
  const { drift } = await compared(
    cassette,
    scriptedInMemory([echo], () => undefined as never),
  )
  expect(drift).toMatchObject([
    {
      subject: 'tools/call echo {"text":"hi"}',
      differences: [
        { path: 'content' },
        { path: 'error', live: { code: -32601, message: 'Method not found' } },
      ],
    },
  ])
})

test('only lists are compared if nothing may be called', async () => {
  const cassette = await recording([echo], repeat, { text: 'hi' })
  const live = scriptedInMemory([echo], () => {
    throw new Error('called')
  })
  expect(await compared(cassette, live, { listsOnly: true })).toMatchObject({ compared: 1, drift: [] })
})

const at =
  (text: string, number: number): Answer =>
  () => ({
    content: [{ type: 'text', text }],
    structuredContent: { number },
  })

test.each([
  ['dates', 'at 2026-11-16T12:00:00.123Z', 'at 2027-01-02T03:04:05Z'],
  ['dates of JavaScript', 'Mon, 16 Nov 2026 12:00:00 GMT', 'Tue, 05 Jan 2027 01:02:03 GMT'],
  ['times', 'it is 12:00:01', 'it is 3:04:05 PM'],
  ['UUIDs', 'id 0b8f3c52-8a53-4f8e-9b9c-3d1f0a5a7c11', 'id 7d1b1f3e-52a8-4c0e-8a55-0f6b1c2d3e4f'],
  ['milliseconds since 1970', 'now 1700000000000', 'now 1800000000000'],
])('%s may differ', async (_, before, now) => {
  const cassette = await recording([echo], at(before, 1_700_000_000_000), {})
  expect(await compared(cassette, scriptedInMemory([echo], at(now, 1_750_000_000_000)))).toMatchObject({
    drift: [],
  })
  const other = await compared(cassette, scriptedInMemory([echo], at(`${now}?`, 5)))
  expect(other.drift[0]?.differences.map(({ path }) => path)).toEqual([
    'content.0.text',
    'structuredContent.number',
  ])
})

test('what differs between recordings of a request may differ, and so may ignored paths', async () => {
  let count = 0
  const counting: Answer = () => ({ content: [], structuredContent: { count: ++count, unit: 'calls' } })
  const cassette = await recording([echo], counting, {}, {})
  expect((await compared(cassette, scriptedInMemory([echo], counting))).drift).toEqual([])
  const once = await recording([echo], counting, {})
  const live = scriptedInMemory([echo], counting)
  expect((await compared(once, live)).drift).toHaveLength(1)
  expect((await compared(once, live, { ignore: ['structuredContent.count'] })).drift).toEqual([])
  expect((await compared(once, live, { ignore: ['*.count'] })).drift).toEqual([])
  expect((await compared(once, live, { ignore: ['count'] })).drift).toHaveLength(1)
})

test('a request whose arguments are redacted is skipped, and no secret is in the report', async () => {
  const secret = canary('environment')
  const cassette = await recording([echo], repeat, { text: secret }, { text: 'hi' })
  const live = scriptedInMemory([echo], () => ({ content: [{ type: 'text', text: secret }] }))
  const report = await compared(cassette, live)
  expect(report.skipped).toEqual([
    { subject: 'tools/call echo {"text":"[redacted]"}', reason: 'its parameters are redacted' },
  ])
  expect(report.drift[0]?.differences).toEqual([
    { path: 'content.0.text', recorded: '{"text":"hi"}', live: '[redacted]' },
  ])
})

const answering = (name: string) => ({
  answerer: { ask: async () => ({ action: 'accept' as const, content: { name } }) },
})

test.each(['modern', 'legacy'] as const)(
  'questions of a server of the %s era get the recorded answers',
  async (era) => {
    const options = { ...permissive([inMemory('hello')]), ...answering('Ada') }
    const { cassette } = await recorded(
      { ...options, transportOf: await linkOfficial('modern', era) },
      async (bridge) => {
        await bridge.call('hello__greet_me')
        await bridge.call('hello__patience')
      },
    )
    const same = await compared(cassette, await linkOfficial('modern', era))
    expect(same).toMatchObject({ drift: [], skipped: [], compared: 3 })
    const other = era === 'modern' ? 'legacy' : 'modern'
    const { drift } = await compared(cassette, await linkOfficial('modern', other), { listsOnly: true })
    expect(drift.find(({ subject }) => subject === 'server')?.differences).toContainEqual({
      path: 'protocolVersion',
      recorded: era === 'modern' ? '2026-07-28' : '2025-11-25',
      live: era === 'modern' ? '2025-11-25' : '2026-07-28',
    })
  },
)

test('a question whose answer is redacted is not asked, and a server that no longer asks has drifted', async () => {
  const options = { ...permissive([inMemory('elicit')]), ...answering('Ada Lovelace') }
  const { cassette } = await recorded(options, (bridge) => bridge.call('elicit__greet_me'))
  const elicit = options.transportOf ?? (() => undefined)
  const live = () => elicit(inMemory('elicit'))
  expect((await compared(cassette, live)).skipped).toEqual([
    { subject: 'tools/call greet_me', reason: 'the answers to its questions are redacted' },
  ])
  const short = await recorded({ ...options, ...answering('Ada') }, (bridge) =>
    bridge.call('elicit__greet_me'),
  )
  expect((await compared(short.cassette, live)).drift).toEqual([])
  const silent = scriptedInMemory([], () => ({ content: [{ type: 'text', text: 'Hello, Ada!' }] }))
  expect((await compared(short.cassette, silent)).drift.at(-1)).toEqual({
    kind: 'changed',
    subject: 'tools/call greet_me',
    differences: [{ path: 'question', recorded: 'What is your name?' }],
  })
})

test('a report fits its documented schema', async () => {
  const schema = JSON.parse(
    readFileSync(new URL('../../../cli/schemas/drift-report.schema.json', import.meta.url), 'utf8'),
  )
  const validate = new Ajv2020({ strict: true, allErrors: true }).compile(schema)
  const cassette = await recording([echo, old], repeat, { text: 'hi' }, { text: canary('environment') })
  const report = await compared(cassette, scriptedInMemory([{ ...echo, title: 'Echo' }], at('x', 1)))
  expect(report.drift.length).toBeGreaterThan(2)
  expect([validate(JSON.parse(JSON.stringify(report))), validate.errors]).toEqual([true, null])
  expect(validate({ ...report, drift: [{ kind: 'moved', subject: 'x', differences: [] }] })).toBe(false)
})

test('calls that a rule or the definition does not allow are not repeated', async () => {
  const cassette = await recording([echo], repeat, { text: 'hi' }, { text: 'ho' })
  const called: unknown[] = []
  const live = scriptedInMemory([echo], (call, notify) => {
    called.push(call.arguments)
    return repeat(call, notify)
  })
  const permissions = { mode: 'allow', deny: ['mcp://hello/echo(text=hi)'] } as const
  const report = await compared(cassette, live, { permissions })
  expect(report.skipped).toEqual([
    { subject: 'tools/call echo {"text":"hi"}', reason: expect.stringMatching(/^denied: .*text=hi/) },
  ])
  expect(called).toEqual([{ text: 'ho' }])
  const spec = { ...inMemory('hello'), approval: { tools: { echo: 'ask' as const } } }
  const { signal } = new AbortController()
  const asking = await findDrift(cassette, spec, { authority: localAuthority(), signal, transportOf: live })
  expect(asking.skipped).toHaveLength(2)
  expect(called).toHaveLength(1)
})

test('a cassette of somebody else calls no tool that the definition of the server does not offer', async () => {
  const cassette = await recording([echo], repeat, { text: 'hi' })
  const called: unknown[] = []
  const live = scriptedInMemory([echo], (call, notify) => {
    called.push(call.arguments)
    return repeat(call, notify)
  })
  const { signal } = new AbortController()
  const options = { authority: localAuthority(), signal, transportOf: live }
  for (const limits of [{ tools: { deny: ['echo'] } }, { tools: { allow: ['other'] } }, { readOnly: true }]) {
    const { skipped } = await findDrift(cassette, { ...inMemory('hello'), ...limits }, options)
    expect(skipped).toEqual([
      { subject: 'tools/call echo {"text":"hi"}', reason: expect.stringMatching(/^denied: the definition/) },
    ])
  }
  expect(called).toEqual([])
})

test('a call that names a control file is not repeated', async () => {
  const cassette = await recording([echo], repeat, { text: '/srv/rules/x' })
  const permissions = { mode: 'allow', controlFiles: ['/srv/rules/*'] } as const
  const { skipped } = await compared(cassette, scriptedInMemory([echo], repeat), { permissions })
  expect(skipped).toMatchObject([{ reason: 'needs an approval: a control file' }])
})

test('resources and prompts that a rule denies are not read', async () => {
  const requests = [
    ['resources/read', { uri: 'file:///secret' }],
    ['prompts/get', { name: 'secret' }],
    [
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'secret' }, argument: { name: 'a', value: '' } },
    ],
    ['completion/complete', { ref: { type: 'ref/resource', uri: 'file:///secret' }, argument: {} }],
  ] as const
  const messages = requests.flatMap(([method, params], index) => [
    { direction: 'sent' as const, message: { jsonrpc: '2.0', id: index, method, params } },
    { direction: 'received' as const, message: { jsonrpc: '2.0', id: index, result: {} } },
  ])
  const { servers, ...rest } = await recording([echo], repeat)
  const [server] = servers
  if (server === undefined) throw new Error('nothing was recorded')
  const connections = server.connections.map((each) => ({
    ...each,
    messages: [...each.messages, ...messages],
  }))
  const cassette = { ...rest, servers: [{ ...server, connections }] }
  const permissions = { mode: 'allow', deny: ['resource://hello/*', 'prompt://hello/*'] } as const
  const { skipped } = await compared(cassette, scriptedInMemory([echo], repeat), { permissions })
  expect(skipped.map(({ reason }) => reason)).toEqual(
    ['resource', 'prompt', 'prompt', 'resource'].map((what) => `denied: rule deny ${what}://hello/*`),
  )
})

test('calls are repeated only after consent, where somebody is asked', async () => {
  const cassette = await recording([echo], repeat, { text: 'hi' }, { text: 'ho' })
  const calls = ['tools/call echo {"text":"hi"}', 'tools/call echo {"text":"ho"}']
  for (const isConfirmed of [true, false]) {
    const confirm = vi.fn(async () => isConfirmed)
    const { skipped } = await compared(cassette, scriptedInMemory([echo], repeat), { confirm })
    expect(confirm).toHaveBeenCalledExactlyOnceWith(calls)
    expect(skipped).toEqual(isConfirmed ? [] : calls.map((subject) => ({ subject, reason: 'not confirmed' })))
  }
})
