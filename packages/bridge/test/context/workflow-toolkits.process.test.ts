import type { Journal } from '@toolbridge/bridge'
import { toolUri } from '@toolbridge/bridge/catalog'
import { type MessageTransport, withExecutionContext } from '@toolbridge/bridge/context'
import { createMemoryPair } from '@toolbridge/client'
import { allowInsecureHttp, allowLoopback } from '@toolbridge/client/auth'
import {
  nodeWebSocket,
  runFixture,
  startHttpFixture,
  startSseFixture,
  startWebSocketFixture,
} from '@toolbridge/testkit/servers'
import type { TransportProvider } from '@toolbridge/bridge/workflow'
import { generateText, stepCountIs, type ToolSet } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ownServer, plainServer } from '../servers/specs.ts'
import {
  callTool,
  createTestWorkflows,
  plainToolkit,
  session,
  type TestWorkflows,
} from '../servers/workflows.ts'

let mcp: TestWorkflows
let started: string[]

const answerer = { ask: async () => ({ action: 'accept', content: { name: 'Ada' } }) as const }

beforeEach(async () => {
  started = []
  const webSocket = await nodeWebSocket()
  mcp = createTestWorkflows({
    clientOptions: () => ({
      permissions: { mode: 'allow' },
      answerer,
      webSocket,
      // The servers of these tests are on this machine.
      guard: { [allowLoopback]: true, [allowInsecureHttp]: true },
      journal: (event) => void (event.type === 'toolkit.started' && started.push(event.toolkit)),
    }),
  })
})
afterEach(() => mcp.close())

type SetUpOptions = Parameters<TestWorkflows['setupMCPForNode']>[3]

function setUp(options: SetUpOptions, ...names: string[]): Promise<ToolSet> {
  return withExecutionContext({ principal: session('ada') }, () =>
    mcp.setupMCPForNode(names, 'w', undefined, options),
  )
}

/** For the person at this machine, who may also use WebSockets. */
function setUpLocally(options: SetUpOptions, ...names: string[]): Promise<ToolSet> {
  return mcp.setupMCPForNode(names, 'w', undefined, options)
}

test('toolkits are reached over every transport [C5] [S2-22]', async () => {
  await using http = await startHttpFixture('hello')
  await using sse = await startSseFixture()
  const ws = await startWebSocketFixture()
  const { command, args } = plainServer('near')
  const toolkits = {
    stdio: { transport: { kind: 'stdio', spec: { command, args, env: { NAME: 'near' } } } },
    http: { transport: { kind: 'http', spec: { url: http.url } } },
    sse: { transport: { kind: 'sse', spec: { url: sse.url } } },
    ws: { transport: { kind: 'ws', spec: { url: ws.url } } },
  } as const
  expect(await callTool(await setUp({ toolkits }, 'stdio'), 'echo', { text: '' })).toBe('near ')
  expect(await callTool(await setUp({ toolkits }, 'http'), 'hello')).toBe('Hello, world!')
  expect(await callTool(await setUp({ toolkits }, 'sse'), 'greet_me')).toBe('Hello, Ada!')
  expect(await callTool(await setUpLocally({ toolkits }, 'ws'), 'greet_me')).toBe('Hello, Ada!')
  await mcp.close()
  await ws.close()
})

test('a link that is handed in is used by one client for as long as that lives, and closed with it', async () => {
  const [link, end] = createMemoryPair()
  await runFixture('hello', end)
  let isClosed = false
  const closed = end.onclose
  end.onclose = () => {
    isClosed = true
    closed?.()
  }
  const toolkits = { near: { transport: link } }
  const one = await setUp({ toolkits }, 'near')
  const other = await setUp({ toolkits }, 'near')
  expect(await callTool(one, 'hello')).toBe('Hello, world!')
  expect(await callTool(other, 'hello', { name: 'Ada' })).toBe('Hello, Ada!')
  expect(started).toEqual(['near'])
  await mcp.clearWorkflowMCPClientCache('w')
  expect(isClosed).toBe(true)
  const late = await setUp({ toolkits }, 'near')
  expect(mcp.reportOf(late)?.failedTools).toMatchObject([{ name: 'near' }])
})

test('a link that is in use is nobody else’s, and one that has ended says so', async () => {
  const [link, end] = linkedMessages()
  await runFixture('hello', end)
  const toolkits = { near: { transport: link } }
  const ofAda = await setUp({ toolkits }, 'near')
  const ofBob = await withExecutionContext({ principal: session('bob') }, () =>
    mcp.setupMCPForNode(['near'], 'w', undefined, { toolkits }),
  )
  const failure = { name: 'near', error: expect.stringContaining('hand in a new one') as unknown }
  expect(mcp.reportOf(ofBob)?.failedTools).toMatchObject([failure])
  expect(await callTool(ofAda, 'hello')).toBe('Hello, world!')
  expect(started).toEqual(['near'])
  await mcp.clearWorkflowMCPClientCache('w')
  await expect(callTool(ofAda, 'hello')).rejects.toThrow('hand in a new one')
})

test('a link that an MCP SDK made is used like one of ours', async () => {
  const [link, end] = linkedMessages()
  await runFixture('hello', end)
  const versions: string[] = []
  Object.assign(link, { setProtocolVersion: (version: string) => versions.push(version) })
  expect(await callTool(await setUp({ toolkits: { near: { transport: link } } }, 'near'), 'hello')).toBe(
    'Hello, world!',
  )
  // Over HTTP it has to be told with each request.
  expect(versions).toEqual(['2025-11-25'])
  expect(await callTool(await setUp({ toolkits: { near: { transport: link } } }, 'near'), 'hello')).toBe(
    'Hello, world!',
  )
  expect(started).toEqual(['near'])
})

test('a link of an MCP SDK that fails over what an older server refuses is used all the same', async () => {
  const [link, end] = linkedMessages()
  await runFixture('hello', end)
  const send = link.send.bind(link)
  const refusing: MessageTransport['send'] = async (message: { readonly method?: string }) => {
    if (message.method !== 'server/discover') return send(message as never)
    const refusal = new Error('Bad Request: Server not initialized')
    link.onerror?.(refusal)
    throw refusal
  }
  Object.assign(link, { send: refusing })
  const tools = await setUp({ toolkits: { near: { transport: link } } }, 'near')
  expect(mcp.reportOf(tools)?.failedTools).toEqual([])
  expect(await callTool(tools, 'hello')).toBe('Hello, world!')
})

test('[S2-31] a provider says what to start for names that no toolkit has', async () => {
  const asked: string[] = []
  const transportProvider: TransportProvider = async (name) => {
    asked.push(name)
    return name === 'known' ? plainToolkit('provided').transportSpec : undefined
  }
  const toolkits = { mine: plainToolkit('carried') }
  const tools = await setUp({ toolkits, transportProvider }, 'known', 'unknown', 'mine')
  expect(asked).toEqual(['known', 'unknown'])
  expect(mcp.reportOf(tools)).toMatchObject({
    toolkits: [
      { name: 'known', source: 'provider' },
      { name: 'mine', source: 'context' },
    ],
    missing: ['unknown'],
  })
})

test('[S2-31] a provider that fails, or returns what is no transport, fails the one toolkit', async () => {
  const provided: Readonly<Record<string, unknown>> = {
    odd: { kind: 'smoke', spec: {} },
    fine: plainToolkit('fine').transportSpec,
  }
  const transportProvider = (name: string): never => {
    if (name === 'angry') throw new Error('no luck')
    return provided[name] as never
  }
  const tools = await setUp({ transportProvider }, 'angry', 'odd', 'fine')
  expect(mcp.reportOf(tools)?.failedTools).toEqual([
    { name: 'angry', error: 'no luck' },
    { name: 'odd', error: expect.stringContaining('/kind must be "stdio"') },
  ])
  expect(await callTool(tools, 'echo', { text: '' })).toBe('fine ')
})

const known = {
  name: 'echo',
  description: 'as it was',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  annotations: { readOnlyHint: true },
}

test('tools that came with a toolkit are shown before its server is started, which the first call does [C27] [S2-23]', async () => {
  const toolkits = { a: { ...plainToolkit('live'), tools: [known, { ...known, name: 'gone' }] } }
  const tools = await setUp({ toolkits }, 'a')
  expect(Object.keys(tools)).toEqual(['echo', 'gone'])
  expect(tools['echo']).toMatchObject({
    description: 'as it was',
    inputSchema: { jsonSchema: known.inputSchema },
  })
  expect(mcp.reportOf(tools)?.toolkits).toMatchObject([{ isStarted: false }])
  expect(started).toEqual([])
  expect(await callTool(tools, 'echo', { text: 'x' })).toBe('live x')
  expect(started).toEqual(['a'])
})

test('a tool may have a name that every object knows, and is a tool like any other', async () => {
  const tools = [
    { ...known, name: '__proto__' },
    { ...known, name: 'constructor' },
  ]
  const set = await setUp({ toolkits: { a: { ...plainToolkit('x'), tools } } }, 'a', 'toString')
  expect(Object.keys(set)).toEqual(['__proto__', 'constructor'])
  expect(mcp.reportOf(set)?.missing).toEqual(['toString'])
})

test('an empty list that came with a toolkit says nothing, so the server is asked', async () => {
  const tools = await setUp({ toolkits: { a: { ...plainToolkit('live'), tools: [] } } }, 'a')
  expect(Object.keys(tools)).toContain('echo')
})

test('what a server lists goes before what came with its toolkit, from its start on [C27]', async () => {
  const toolkits = { a: { ...plainToolkit('live'), tools: [{ ...known, name: 'gone' }] } }
  const before = await setUp({ toolkits }, 'a')
  await expect(callTool(before, 'gone')).rejects.toThrow('toolkit "a" no longer has the tool "gone"')
  const after = await setUp({ toolkits }, 'a')
  expect(Object.keys(after)).toEqual(['echo', 'grow', 'hang', 'wait'])
  expect(mcp.reportOf(after)?.toolkits).toMatchObject([{ isStarted: true }])
})

test('tools of two toolkits that would share a name are not offered, and that is told [d.6-4]', async () => {
  const toolkits = { a: plainToolkit('a'), b: plainToolkit('b'), pictures: galleryToolkit() }
  const tools = await setUp({ toolkits }, 'a', 'b', 'pictures')
  expect(Object.keys(tools)).toContain('picture')
  expect(Object.keys(tools)).not.toContain('echo')
  const collided = mcp.notices.filter(({ code }) => code === 'tool_name_collision')
  expect(collided.map(({ toolkit, tools: names }) => `${toolkit} ${names?.join()}`)).toContain('a echo')
})

test('with a prefix, tools of the same name are all offered [S1-23]', async () => {
  await using named = createTestWorkflows({ naming: { separator: '__', sanitize: 'identifier' } })
  const toolkits = { a: plainToolkit('a'), b: plainToolkit('b') }
  const tools = await named.setupMCPForNode(['a', 'b'], 'w', undefined, { toolkits })
  expect(await callTool(tools, 'a__echo', { text: '' })).toBe('a ')
  expect(await callTool(tools, 'b__echo', { text: '' })).toBe('b ')
})

test('a node can have only some tools of its toolkits, by name or by URI', async () => {
  const events: string[] = []
  const journal: Journal = (event) => void (event.type === 'tool.materialized' && events.push(event.tool))
  await using named = createTestWorkflows({
    naming: { separator: '__', sanitize: 'identifier' },
    clientOptions: () => ({ permissions: { mode: 'allow' }, journal }),
  })
  const toolkits = { a: plainToolkit('a'), b: plainToolkit('b') }
  const only = [toolUri('b', 'echo'), 'a__echo', 'b__echo', 'c__echo']
  const tools = await named.setupMCPForNode(['a', 'b'], 'w', undefined, { toolkits, only })
  expect(Object.keys(tools)).toEqual(['b__echo', 'a__echo'])
  expect(await callTool(tools, 'b__echo', { text: '' })).toBe('b ')
  expect(named.reportOf(tools)?.toolkits).toMatchObject([
    { name: 'a', tools: ['a__echo'], rawNames: ['echo'] },
    { name: 'b', tools: ['b__echo'], rawNames: ['echo'] },
  ])
  expect(events).toEqual(['a__echo', 'b__echo'])
  const all = await named.setupMCPForNode(['a', 'b'], 'w', undefined, { toolkits })
  expect(Object.keys(all)).toHaveLength(8)
})

test('a tool that a server adds later is in the next tools of the workflow, however often it ran before', async () => {
  const toolkits = { a: plainToolkit('a'), pictures: galleryToolkit() }
  const before = await setUp({ toolkits }, 'pictures', 'a')
  expect(Object.keys(before)).toEqual(Object.keys(await setUp({ toolkits }, 'pictures', 'a')))
  expect(Object.keys(before)).not.toContain('grown_4')
  await callTool(before, 'grow')
  await vi.waitFor(async () =>
    expect(Object.keys(await setUp({ toolkits }, 'pictures', 'a'))).toContain('grown_4'),
  )
  const other = await setUp({ toolkits }, 'a', 'pictures')
  expect(Object.keys(other).toSorted()).toEqual([...Object.keys(before), 'grown_4'].toSorted())
})

test('a question of a call goes to the answerer that the node was set up with', async () => {
  const ws = await startWebSocketFixture()
  const toolkits = { ask: { transport: { kind: 'ws', spec: { url: ws.url } } } } as const
  const channel = (name: string): typeof answerer => ({
    ask: async () => ({ action: 'accept', content: { name } }) as never,
  })
  const [email, slack] = await Promise.all([
    setUpLocally({ toolkits, answerer: channel('email'), conversation: 'email' }, 'ask'),
    setUpLocally({ toolkits, answerer: channel('slack'), conversation: 'slack' }, 'ask'),
  ])
  const said = await Promise.all([
    callTool(email, 'greet_me'),
    callTool(slack, 'greet_me'),
    callTool(email, 'greet_me'),
  ])
  expect(said).toEqual(['Hello, email!', 'Hello, slack!', 'Hello, email!'])
  await mcp.close()
  await ws.close()
})

test('a model uses the tools of a node in the loop of the AI SDK', async () => {
  const tools = await setUp({ toolkits: { a: { ...plainToolkit('live'), tools: { echo: known } } } }, 'a')
  const usage = { inputTokens: count, outputTokens: { total: 1, text: 1, reasoning: 0 } }
  const model = new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => {
      const read = JSON.stringify(prompt.filter(({ role }) => role === 'tool'))
      const call = { type: 'tool-call' as const, toolCallId: '1', toolName: 'echo', input: '{"text":"hi"}' }
      return read === '[]'
        ? { content: [call], finishReason: { unified: 'tool-calls', raw: undefined }, usage, warnings: [] }
        : {
            content: [{ type: 'text', text: read }],
            finishReason: { unified: 'stop', raw: undefined },
            usage,
            warnings: [],
          }
    },
  })
  const { text } = await generateText({ model, tools, stopWhen: stepCountIs(3), prompt: 'go on' })
  expect(JSON.parse(text)[0].content[0].output).toEqual({ type: 'text', value: 'live hi' })
})

const count = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }

function galleryToolkit(): ReturnType<typeof plainToolkit> {
  const { command, args } = ownServer('gallery')
  return { transportSpec: { command, args } }
}

/** Two ends of a link in the shape that the official SDKs use. */
function linkedMessages(): [MessageTransport, Parameters<typeof runFixture>[1]] {
  interface End {
    onmessage?: ((message: unknown) => void) | undefined
    onclose?: (() => void) | undefined
    start(): Promise<void>
    send(message: unknown): Promise<void>
    close(): Promise<void>
  }
  const ends: End[] = []
  const end = (other: number): End => ({
    start: async () => {},
    send: async (message) => queueMicrotask(() => ends[other]?.onmessage?.(structuredClone(message))),
    close: async () => ends[other]?.onclose?.(),
  })
  ends.push(end(1), end(0))
  return ends as never
}
